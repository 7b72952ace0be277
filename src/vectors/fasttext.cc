#include "vectors/fasttext.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/progress.h"

namespace acevec {
namespace {

static_assert(std::endian::native == std::endian::little, "the model file is little-endian");

constexpr int32_t kFastTextMagic = 793712314;
constexpr int32_t kOldestVersion = 11, kFastTextVersion = 12;

enum class FastTextLoss : int32_t { kNegativeSampling = 2 };
enum class FastTextTask : int32_t { kCbow = 1, kSkipGram = 2, kSupervised = 3 };
enum class FastTextEntry : int8_t { kWord = 0, kLabel = 1 };

constexpr int64_t kFastTextNotPruned = -1;

template <class Number>
void put(Number number, OutputFile& file) {
  file.write({reinterpret_cast<const char*>(&number), sizeof number});
}

// The file has 32-bit sizes and counts; larger ones are clamped.
void put_size(int64_t size, OutputFile& file) {
  put(static_cast<int32_t>(std::min<int64_t>(size, std::numeric_limits<int32_t>::max())), file);
}

void put_row(const float* row, int64_t columns, OutputFile& file) {
  if (!all_finite(row, columns)) {
    throw Error("the model has a non-finite number, so nothing was written; lower -alpha");
  }
  file.write({reinterpret_cast<const char*>(row), static_cast<size_t>(columns) * sizeof(float)});
}

void put_rows(const Matrix& matrix, int64_t rows, OutputFile& file) {
  for (int64_t i = 0; i < rows; ++i) put_row(matrix.row(i), matrix.columns(), file);
}

void put_settings(const FastTextTraining& training, int64_t columns, OutputFile& file) {
  const SubwordShape& shape = training.subwords;
  constexpr int64_t kWordNgrams = 1;  // used by classifiers only
  constexpr int64_t kTokensPerRate = 100;
  put_size(columns, file);
  put_size(training.window, file);
  put_size(training.epochs, file);
  put_size(training.min_count, file);
  put_size(training.negatives, file);
  put_size(kWordNgrams, file);
  put(FastTextLoss::kNegativeSampling, file);
  put(training.cbow ? FastTextTask::kCbow : FastTextTask::kSkipGram, file);
  put_size(shape.any() ? shape.buckets : 0, file);
  put_size(shape.any() ? shape.shortest : 0, file);
  put_size(shape.any() ? shape.longest : 0, file);
  put_size(kTokensPerRate, file);
  put(training.sample, file);
}

void put_dictionary(const Vocabulary& vocabulary, OutputFile& file) {
  put_size(vocabulary.size(), file);  // number of entries, then of words
  put_size(vocabulary.size(), file);
  put_size(0, file);  // number of labels
  put(vocabulary.total(), file);
  put(kFastTextNotPruned, file);
  for (int32_t id = 0; id < vocabulary.size(); ++id) {
    const std::string& word = vocabulary.word(id);
    if (word.find('\0') != std::string::npos) {
      throw Error(
          format("the word \"%s\" has a NUL byte, which fastText's model file cannot contain; "
                 "take it out of the text",
                 excerpt(word).c_str()));
    }
    file.write({word.c_str(), word.size() + 1});
    put(vocabulary.count(id), file);
    put(FastTextEntry::kWord, file);
  }
}

void put_shape(int64_t rows, int64_t columns, OutputFile& file) {
  put(int8_t{0}, file);  // not quantized
  put(rows, file);
  put(columns, file);
}

constexpr size_t kLongestModelWord = 1 << 16;

class FastTextReader : public RowReader {
 public:
  explicit FastTextReader(std::unique_ptr<LookAhead> input)
      : RowReader(input->name(), "give a model that fastText wrote"),
        input_(std::move(input)),
        own_(0, 0) {
    input_->skip(sizeof(int32_t));
    version_ = take<int32_t>();
    if (version_ < kOldestVersion || version_ > kFastTextVersion) {
      fail(format("its version is %d, and acevec reads %d and %d", version_, kOldestVersion,
                  kFastTextVersion));
    }
    read_settings();
    read_dictionary();
    set_shape(static_cast<int64_t>(words_.size()), columns_);
  }

  WordVectors read_all(int64_t most) override {
    load(most);
    words_.resize(static_cast<size_t>(own_.rows()));
    return {std::move(words_), std::move(own_), std::move(subwords_)};
  }

 private:
  bool read_row(std::string& word, float* numbers) override {
    if (count() == declared_rows()) return false;
    if (count() == 0) load(declared_rows());
    word = words_[static_cast<size_t>(count())];
    std::copy_n(own_.row(count()), columns_, numbers);
    return true;
  }

  template <class Number>
  Number take() {
    Number number;
    std::memcpy(&number, take_bytes(sizeof number).data(), sizeof number);
    return number;
  }

  template <class Number>
  void skip(int numbers) {
    for (int i = 0; i < numbers; ++i) take<Number>();
  }

  void read_settings() {
    columns_ = take<int32_t>();
    skip<int32_t>(6);  // window, epochs, minimum count, negatives, n-grams of words, loss
    const auto task = take<FastTextTask>();
    const auto buckets = take<int32_t>();
    const auto shortest = take<int32_t>();
    auto longest = take<int32_t>();
    skip<int32_t>(1);  // tokens per update of the learning rate
    skip<double>(1);   // subsampling threshold
    // As in fastText: classifiers of version 11 have no character n-grams.
    if (version_ == 11 && task == FastTextTask::kSupervised) longest = 0;
    if (columns_ < 1 || columns_ > kMostColumns || buckets < 0 || longest > kLongestNgram) {
      fail("its settings are invalid");
    }
    shape_ = {shortest, longest, buckets};
  }

  void read_dictionary() {
    const auto entries = take<int32_t>();
    const auto words = take<int32_t>();
    const auto labels = take<int32_t>();
    skip<int64_t>(1);  // tokens
    const auto pruned = take<int64_t>();
    if (words < 1) fail("it contains no words");
    if (labels < 0 || int64_t{words} + labels != entries) fail("its dictionary is invalid");
    if (pruned != kFastTextNotPruned) fail_quantized();
    for (int32_t entry = 0; entry < entries; ++entry) {
      std::string word = take_word();
      skip<int64_t>(1);  // its count
      const auto wanted = entry < words ? FastTextEntry::kWord : FastTextEntry::kLabel;
      if (take<FastTextEntry>() != wanted) fail("its dictionary is invalid");
      if (wanted == FastTextEntry::kWord) words_.push_back(std::move(word));
    }
  }

  // Only classifiers are quantized, and their words are of little use without the labels.
  [[noreturn]] void fail_quantized() const {
    fail("it is quantized", "give the model before quantize");
  }

  std::string take_word() {
    if (input_->at_end()) fail("it is truncated");
    const auto word = input_->peek_until('\0', kLongestModelWord);
    if (!word || word->empty() || word->find_first_of(" \t\n") != std::string_view::npos) {
      fail(format("word %s is empty, too long or has white space in it",
                  grouped(static_cast<int64_t>(words_.size()) + 1).c_str()));
    }
    std::string result(*word);
    if (input_->peek(result.size() + 1).size() == result.size()) fail("it is truncated");
    input_->skip(result.size() + 1);
    return result;
  }

  // Reads the matrices, and composes the vectors of the first `most` words.
  void load(int64_t most) {
    const auto words = static_cast<int64_t>(words_.size());
    const int64_t kept = std::min(words, most);
    const int64_t rows = take_shape();
    if (rows != words + shape_.buckets) {
      fail(format("it has %s for %s and %s", counted(rows, "row").c_str(),
                  counted(words, "word").c_str(), counted(shape_.buckets, "bucket").c_str()));
    }
    const int64_t buckets = shape_.any() ? shape_.buckets : 0;
    require_memory(kept + buckets);
    own_ = read_rows(words, kept);
    Matrix parts = read_rows(shape_.buckets, buckets);
    read_rows(take_shape(), 0);  // the output matrix
    if (!input_->at_end()) fail("it has data after the model");
    if (!shape_.any()) return;
    subwords_ = std::make_shared<const SubwordRows>(shape_, std::move(parts));
    compose_words();
  }

  // Returns the number of rows of the next matrix, which must have columns_ columns.
  int64_t take_shape() {
    if (take<int8_t>() != 0) fail_quantized();
    const auto rows = take<int64_t>();
    if (rows < 0 || take<int64_t>() != columns_) fail("its matrices have invalid shapes");
    return rows;
  }

  // Returns the next bytes, valid until the next call.
  std::string_view take_bytes(int64_t size) {
    const std::string_view bytes = input_->peek(static_cast<size_t>(size));
    if (std::ssize(bytes) < size) fail("it is truncated");
    input_->skip(static_cast<size_t>(size));
    return bytes.substr(0, static_cast<size_t>(size));
  }

  void require_memory(int64_t rows) const {
    const double needed = static_cast<double>(rows) * static_cast<double>(padded(columns_)) * 4;
    const int64_t available = available_bytes();
    if (needed <= static_cast<double>(available)) return;
    throw Error(
        format("cannot use %s: its rows need %.0f MiB of memory, and %s are available; free some, "
               "or convert it to vectors of words on a larger machine",
               input_->name().c_str(), needed / (1 << 20), grouped(available >> 20).c_str()));
  }

  // Reads the next `rows` rows, and keeps the first `kept`.
  Matrix read_rows(int64_t rows, int64_t kept) {
    Matrix matrix(0, columns_);
    for (int64_t i = 0; i < rows; ++i) {
      const std::string_view bytes = take_bytes(columns_ * int64_t{sizeof(float)});
      if (i >= kept) continue;
      make_room(matrix, i, kept);
      std::memcpy(matrix.row(i), bytes.data(), bytes.size());
      if (!all_finite(matrix.row(i), columns_)) fail("it has a non-finite number");
    }
    return matrix;
  }

  void compose_words() {
    constexpr int64_t kWordsAtOnce = 1024;
    in_blocks(machine_threads(), own_.rows(), kWordsAtOnce, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        subwords_->compose(words_[static_cast<size_t>(i)], own_.row(i), own_.row(i));
      }
    });
  }

  std::unique_ptr<LookAhead> input_;
  int32_t version_ = 0;
  int64_t columns_ = 0;
  SubwordShape shape_;
  std::vector<std::string> words_;
  Matrix own_;  // the words' own rows; composed once all is read
  std::shared_ptr<const SubwordRows> subwords_;
};

}  // namespace

void write_fasttext_model(const Vocabulary& vocabulary, const FastTextTraining& training,
                          const Matrix& own, const RowOf& bucket_row, const Matrix& contexts,
                          OutputFile& file) {
  const int64_t columns = own.columns();
  const int64_t buckets = training.subwords.any() ? training.subwords.buckets : 0;
  put(kFastTextMagic, file);
  put(kFastTextVersion, file);
  put_settings(training, columns, file);
  put_dictionary(vocabulary, file);
  put_shape(vocabulary.size() + buckets, columns, file);
  put_rows(own, vocabulary.size(), file);
  const std::vector<float> zeros(static_cast<size_t>(columns));
  for (int64_t bucket = 0; bucket < buckets; ++bucket) {
    const float* const row = bucket_row ? bucket_row(bucket) : nullptr;
    put_row(row != nullptr ? row : zeros.data(), columns, file);
  }
  put_shape(contexts.rows(), columns, file);
  put_rows(contexts, contexts.rows(), file);
}

bool begins_fasttext(LookAhead& input) {
  char magic[sizeof kFastTextMagic];
  std::memcpy(magic, &kFastTextMagic, sizeof magic);
  return input.peek(sizeof magic).starts_with(std::string_view(magic, sizeof magic));
}

std::unique_ptr<RowReader> open_fasttext(std::unique_ptr<LookAhead> input) {
  return std::make_unique<FastTextReader>(std::move(input));
}

}  // namespace acevec
