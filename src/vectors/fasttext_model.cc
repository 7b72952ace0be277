#include "vectors/fasttext_model.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "base/error.h"
#include "vectors/fasttext_format.h"

namespace acevec {
namespace {

template <class Number>
void put(Number number, OutputFile& file) {
  file.write({reinterpret_cast<const char*>(&number), sizeof number});
}

// Sizes and counts are numbers of 32 bits there; larger ones become the largest.
void put_size(int64_t size, OutputFile& file) {
  put(static_cast<int32_t>(std::min<int64_t>(size, std::numeric_limits<int32_t>::max())), file);
}

void put_row(const float* row, int64_t columns, OutputFile& file) {
  if (!all_finite(row, columns)) {
    throw Error("the model holds a number that is not finite, nothing was written; lower -alpha");
  }
  file.write({reinterpret_cast<const char*>(row), static_cast<size_t>(columns) * sizeof(float)});
}

void put_rows(const Matrix& matrix, int64_t rows, OutputFile& file) {
  for (int64_t i = 0; i < rows; ++i) put_row(matrix.row(i), matrix.columns(), file);
}

void put_settings(const FastTextTraining& training, int64_t columns, OutputFile& file) {
  const SubwordShape& shape = training.subwords;
  constexpr int64_t kWordsTogether = 1;  // n-grams of words, which classifiers have
  constexpr int64_t kTokensPerRate = 100;
  put_size(columns, file);
  put_size(training.window, file);
  put_size(training.epochs, file);
  put_size(training.min_count, file);
  put_size(training.negatives, file);
  put_size(kWordsTogether, file);
  put(FastTextLoss::kNegativeSampling, file);
  put(training.cbow ? FastTextTask::kCbow : FastTextTask::kSkipGram, file);
  put_size(shape.any() ? shape.buckets : 0, file);
  put_size(shape.any() ? shape.shortest : 0, file);
  put_size(shape.any() ? shape.longest : 0, file);
  put_size(kTokensPerRate, file);
  put(training.sample, file);
}

void put_dictionary(const Vocabulary& vocabulary, OutputFile& file) {
  put_size(vocabulary.size(), file);  // entries, of which these are words
  put_size(vocabulary.size(), file);
  put_size(0, file);  // and these labels
  put(vocabulary.total(), file);
  put(kFastTextNotPruned, file);
  for (int32_t id = 0; id < vocabulary.size(); ++id) {
    const std::string& word = vocabulary.word(id);
    if (word.find('\0') != std::string::npos) {
      throw Error(
          format("the word \"%s\" has a NUL byte, which fastText's model file cannot hold; "
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

}  // namespace acevec
