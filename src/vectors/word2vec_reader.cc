#include "vectors/format_readers.h"

#include <cstring>
#include <string_view>
#include <utility>

#include "base/numbers.h"
#include "text/lines.h"

namespace acevec {
namespace {

// The numbers after the first field of a line, −1 when one is none.
int64_t numbers_after_word(std::string_view line) {
  take_field(line);
  return parse_numbers(line, nullptr, 0);
}

class Word2vecReader : public RowReader {
 public:
  explicit Word2vecReader(std::unique_ptr<LookAhead> input)
      : RowReader(input->name(), "give word2vec text or binary, or GloVe text"),
        input_(std::move(input)) {
    const auto first = input_->peek_until('\n', kLongestFirstLine);
    if (!first) fail_first_line();
    if (first->empty()) fail("it is empty or holds no vectors");
    const size_t first_size = first->size() + 1;
    std::string_view rest = without_return(*first);
    const auto rows = number_of<int64_t>(take_field(rest));
    const auto size = number_of<int64_t>(take_field(rest));
    if (rows && size && take_field(rest).empty()) {
      if (*rows < 1 || *size < 1 || *size > kMostColumns) fail("its first line is impossible");
      input_->skip(first_size);
      set_shape(*rows, *size);
      binary_ = !next_line_is_text();
    } else {
      set_shape(-1, numbers_after_word(without_return(*first)));
      if (columns() <= 0) fail("it is not a file of vectors");
    }
  }

 private:
  bool next_line_is_text() {
    const auto line = input_->peek_until('\n', longest_line());
    return line && numbers_after_word(without_return(*line)) == columns();
  }

  bool read_row(std::string& word, float* numbers) override {
    return binary_ ? read_binary(word, numbers) : read_text(word, numbers);
  }

  bool read_text(std::string& word, float* numbers) {
    while (!input_->at_end()) {
      const auto line = input_->peek_until('\n', longest_line());
      if (!line) fail_row("is too long");
      std::string_view text = without_return(*line);
      const bool blank = text.empty();
      if (!blank) {
        word = take_field(text);
        if (parse_numbers(text, numbers, columns()) != columns()) {
          fail_row(has_more_fields(*line)
                       ? "has more numbers than the others, or blanks in its word"
                       : "does not hold a word and as many numbers as the others");
        }
      }
      input_->skip(line->size() + 1);
      if (!blank) return true;
    }
    return false;
  }

  bool has_more_fields(std::string_view line) const {
    line = without_return(line);
    int64_t fields = 0;
    while (!take_field(line).empty()) ++fields;
    return fields > columns() + 1;
  }

  bool read_binary(std::string& word, float* numbers) {
    if (input_->peek(1).starts_with('\n')) input_->skip(1);  // word2vec ends rows so, gensim not
    if (input_->at_end()) return false;
    if (count() == promised()) fail("there are more rows than its first line declares");
    const auto name = input_->peek_until(' ', kLongestWord);
    if (!name || name->empty()) fail_row("has no word");
    word = *name;
    if (word.find_first_of("\t\n") != std::string::npos) {
      fail_row("has a tab or a line end in its word");
    }
    input_->skip(word.size() + 1);
    const size_t row_bytes = static_cast<size_t>(columns()) * sizeof(float);
    const std::string_view bytes = input_->peek(row_bytes);
    if (bytes.size() < row_bytes) fail_row("is truncated");
    std::memcpy(numbers, bytes.data(), row_bytes);
    input_->skip(row_bytes);
    return true;
  }

  std::unique_ptr<LookAhead> input_;
  bool binary_ = false;
};

}  // namespace

std::unique_ptr<RowReader> open_word2vec(std::unique_ptr<LookAhead> input) {
  return std::make_unique<Word2vecReader>(std::move(input));
}

}  // namespace acevec
