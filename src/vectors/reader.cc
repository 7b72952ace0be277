#include "vectors/reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "text/source.h"

namespace acevec {
namespace {

constexpr size_t kStep = 1 << 20;
constexpr int64_t kMaxColumns = 1 << 20;
constexpr size_t kMaxWord = 1 << 20;  // a longer "word" means the file is something else

// Looks ahead in a Source.
class Input {
 public:
  explicit Input(const std::string& path) : source_(path) {}

  // At least `size` bytes from the current place, fewer only at the end of the file.
  std::string_view peek(size_t size) {
    while (buffer_.size() - at_ < size && !ended_) {
      buffer_.erase(0, std::exchange(at_, 0));
      const size_t had = buffer_.size();
      buffer_.resize(had + kStep);
      buffer_.resize(had + source_.read(buffer_.data() + had, kStep));
      ended_ = buffer_.size() < had + kStep;
    }
    return std::string_view(buffer_).substr(at_);
  }

  // The bytes up to the next `mark`, looking at most `limit` bytes ahead; up to the end of the file
  // when there is none before it.
  std::optional<std::string_view> peek_until(char mark, size_t limit) {
    for (size_t size = 256;; size *= 4) {
      const std::string_view text = peek(size);
      const size_t end = text.substr(0, limit).find(mark);
      if (end != std::string_view::npos) return text.substr(0, end);
      if (text.size() >= limit) return std::nullopt;
      if (ended_) return text;
    }
  }

  void skip(size_t size) { at_ = std::min(at_ + size, buffer_.size()); }
  bool at_end() { return peek(1).empty(); }
  const std::string& name() const { return source_.name(); }

 private:
  Source source_;
  std::string buffer_;
  size_t at_ = 0;
  bool ended_ = false;
};

// Takes the next field off `line`: what stands before the next space or tab.
std::string_view take_field(std::string_view& line) {
  const size_t start = std::min(line.find_first_not_of(" \t"), line.size());
  const size_t end = std::min(line.find_first_of(" \t", start), line.size());
  const std::string_view field = line.substr(start, end - start);
  line.remove_prefix(end);
  return field;
}

template <class Number>
std::optional<Number> parse(std::string_view field) {
  Number number{};
  if (field.starts_with('+')) field.remove_prefix(1);
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
  if (error != std::errc{} || end != field.data() + field.size()) return std::nullopt;
  return number;
}

// The numbers after the first field of a line. Empty when one of them is no number.
std::vector<float> parse_numbers(std::string_view line) {
  std::vector<float> numbers;
  take_field(line);
  for (std::string_view field; !(field = take_field(line)).empty();) {
    const auto number = parse<float>(field);
    if (!number) return {};
    numbers.push_back(*number);
  }
  return numbers;
}

std::string_view without_return(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// Reads one file.
class Reader {
 public:
  explicit Reader(const std::string& path) : input_(path), result_{{}, Matrix(0, 0)} {}

  WordVectors read() {
    const auto first = input_.peek_until('\n', kMaxLine);
    if (!first || first->empty()) fail("it is empty or holds no vectors");
    const size_t first_size = first->size() + 1;
    std::string_view rest = without_return(*first);
    const auto rows = parse<int64_t>(take_field(rest));
    const auto columns = parse<int64_t>(take_field(rest));
    const bool header = rows && columns && take_field(rest).empty();
    if (header) {
      if (*rows < 1 || *columns < 1 || *columns > kMaxColumns) fail("its first line is impossible");
      input_.skip(first_size);
      promised_ = *rows;
      columns_ = *columns;
    } else {
      columns_ = static_cast<int64_t>(parse_numbers(*first).size());
      if (columns_ == 0) fail("it is no file of vectors");
    }
    result_.vectors = Matrix(0, columns_);
    header && !next_line_is_text() ? read_binary() : read_text();
    if (promised_ >= 0 && count() != promised_) {
      fail(format("its first line promises %ld rows, but there are %ld",
                  static_cast<long>(promised_), static_cast<long>(count())));
    }
    result_.vectors.resize(count());
    return std::move(result_);
  }

 private:
  static constexpr size_t kMaxLine = kMaxWord + 64 * kMaxColumns;

  int64_t count() const { return static_cast<int64_t>(result_.words.size()); }

  [[noreturn]] void fail(const std::string& why) const {
    throw Error(format("cannot use %s: %s; give word2vec text or binary, or GloVe text",
                       input_.name().c_str(), why.c_str()));
  }
  [[noreturn]] void fail_row(const char* why) const {
    fail(format("row %ld %s", static_cast<long>(count() + 1), why));
  }

  bool next_line_is_text() {
    const auto line = input_.peek_until('\n', kMaxWord + 64 * static_cast<size_t>(columns_));
    return line && static_cast<int64_t>(parse_numbers(without_return(*line)).size()) == columns_;
  }

  void read_text() {
    while (!input_.at_end()) {
      const auto line = input_.peek_until('\n', kMaxLine);
      if (!line) fail_row("is too long");
      std::string_view text = without_return(*line);
      if (!text.empty()) {
        const std::vector<float> numbers = parse_numbers(text);
        if (static_cast<int64_t>(numbers.size()) != columns_) {
          fail_row("does not hold a word and as many numbers as the others");
        }
        append(take_field(text), numbers.data());
      }
      input_.skip(line->size() + 1);
    }
  }

  void read_binary() {
    const size_t row_bytes = static_cast<size_t>(columns_) * sizeof(float);
    std::vector<float> numbers(static_cast<size_t>(columns_));
    while (count() < promised_) {
      if (input_.peek(1).starts_with('\n')) input_.skip(1);  // word2vec ends rows so, gensim not
      const auto word = input_.peek_until(' ', kMaxWord);
      if (!word || word->empty()) fail_row("has no word");
      const std::string kept(*word);
      input_.skip(kept.size() + 1);
      const std::string_view bytes = input_.peek(row_bytes);
      if (bytes.size() < row_bytes) fail_row("is cut short");
      std::memcpy(numbers.data(), bytes.data(), row_bytes);
      input_.skip(row_bytes);
      append(kept, numbers.data());
    }
    if (input_.peek(1).starts_with('\n')) input_.skip(1);
    if (!input_.at_end()) fail("there are more rows than its first line promises");
  }

  void append(std::string_view word, const float* numbers) {
    if (!std::all_of(numbers, numbers + columns_, [](float x) { return std::isfinite(x); })) {
      fail_row("holds a number that is not finite");
    }
    if (count() == promised_) fail("there are more rows than its first line promises");
    Matrix& vectors = result_.vectors;
    if (count() == vectors.rows()) vectors.resize(std::max<int64_t>(1024, 2 * vectors.rows()));
    std::copy_n(numbers, columns_, vectors.row(count()));
    result_.words.emplace_back(word);
  }

  Input input_;
  WordVectors result_;
  int64_t promised_ = -1;
  int64_t columns_ = 0;
};

}  // namespace

WordVectors read_vectors(const std::string& path) {
  return Reader(path).read();
}

}  // namespace acevec
