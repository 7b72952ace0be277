#include "vectors/row_reader.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/checkpoint_file.h"
#include "base/error.h"
#include "base/numbers.h"
#include "base/utf8.h"
#include "text/lines.h"

namespace acevec {
namespace {

constexpr std::string_view kBetweenFields = " \t";
constexpr const char* kDeleteHead = "if none is missing, delete that line";

bool has_control_bytes(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) < ' ' && c != '\t') || c == '\x7f';
  });
}

bool is_readable(std::string_view text) {
  return !has_control_bytes(text) && is_utf8(text);
}

// Takes the last field off `line`, and the blanks after it. Returns an empty one at the end.
std::string_view take_last_field(std::string_view& line) {
  line = line.substr(0, line.find_last_not_of(kBetweenFields) + 1);
  const std::string_view field = line.substr(line.find_last_of(kBetweenFields) + 1);
  line.remove_suffix(field.size());
  return field;
}

// True for a number, even in another notation: 0,5.
bool looks_like_number(std::string_view field) {
  return float_of(field).has_value() ||
         (field.find_first_of("0123456789") != std::string_view::npos &&
          field.find_first_not_of("0123456789+-.,eE") == std::string_view::npos);
}

// Counts the numbers at the end of a row. A word precedes them unless the line begins with a blank.
int64_t numbers_in_row(std::string_view line) {
  const bool has_word = !line.empty() && kBetweenFields.find(line[0]) == std::string_view::npos;
  int64_t count = 0;
  for (;; ++count) {
    const std::string_view field = take_last_field(line);
    if (field.empty()) return count - (has_word && count > 0 ? 1 : 0);
    if (!looks_like_number(field)) return count;
  }
}

// A line as a row: `columns` numbers, which are its last fields, and a word, which is everything
// before them. split_row() returns nothing if there are fewer fields.
struct TextRow {
  std::string_view word, numbers;
};
std::optional<TextRow> split_row(std::string_view line, int64_t columns) {
  std::string_view rest = line;
  for (int64_t k = 0; k < columns; ++k) {
    if (take_last_field(rest).empty()) return std::nullopt;
  }
  if (rest.empty()) return std::nullopt;  // the first number is in the place of the word
  return TextRow{trimmed(rest, kBetweenFields), line.substr(rest.size())};
}

bool is_text_row(std::string_view line, int64_t columns) {
  const auto row = split_row(line, columns);
  return row && parse_numbers(row->numbers, nullptr, 0) == columns;
}

// Returns the two numbers of a first line "words size", −1 for an impossible one; nothing when the
// line is a row.
std::optional<std::pair<int64_t, int64_t>> shape_of_head(std::string_view line) {
  const auto number = [](std::string_view field) -> std::optional<int64_t> {
    const bool whole =
        field.substr(field.starts_with('-') ? 1 : 0).find_first_not_of("0123456789") ==
        std::string_view::npos;
    if (field.empty() || !whole) return std::nullopt;
    return number_of<int64_t>(field).value_or(-1);
  };
  const auto rows = number(take_field(line));
  const auto size = number(take_field(line));
  if (!rows || !size || !take_field(line).empty()) return std::nullopt;
  return std::pair{*rows, *size};
}

// Returns whether the numbers can be those of a vector, not bytes of something else.
bool are_plausible(const char* bytes, int64_t count) {
  constexpr float kSmallestSize = 1e-15F, kLargestSize = 1e7F;
  for (int64_t k = 0; k < count; ++k) {
    float number;
    std::memcpy(&number, bytes + k * int64_t{sizeof number}, sizeof number);
    const float size = std::abs(number);
    if (!(size <= kLargestSize && (size >= kSmallestSize || size == 0))) return false;
  }
  return true;
}

class Word2vecReader : public RowReader {
 public:
  explicit Word2vecReader(std::unique_ptr<LookAhead> input)
      : RowReader(input->name(), "give vectors of word2vec, GloVe or fastText, or .npy or .tsv"),
        input_(std::move(input)) {
    if (const auto part = first_part(input_->peek(kFirstPartBytes))) fail_container(*part);
    const auto first = input_->peek_until('\n', kLongestFirstLine);
    if (!first) fail_first_line();
    if (first->empty()) fail("it is empty or contains no vectors");
    if (const auto head = shape_of_head(without_return(*first))) {
      const auto [rows, size] = *head;
      if (rows < 1 || size < 1 || size > kMostColumns) fail("its first line is invalid");
      input_->skip(first->size() + 1);
      set_shape(rows, size);
      binary_ = !next_line_is_text();
      if (binary_) return;
      set_shape(rows, size, kDeleteHead);
      if (const int64_t there = usual_numbers(size); there > 0 && there != size) {
        fail(format("its first line declares %ld numbers per row, but rows have %ld",
                    static_cast<long>(size), static_cast<long>(there)),
             "delete or correct that line");
      }
    } else {
      set_shape(-1, usual_numbers(-1));
      if (columns() == 0) fail("it is not a file of vectors");
      if (!any_word()) {
        fail("its rows begin with fractions, not words", "put a word before each row");
      }
    }
  }

 private:
  // Refuses a model or a checkpoint, told apart by the first part.
  [[noreturn]] void fail_container(const std::string& kind) {
    if (!kind.starts_with("acevec ")) fail("it is a checkpoint", "give it to -resume");
    fail("it is a model of " + kind, ("give it to the commands of " + kind).c_str());
  }

  bool read_row(std::string& word, float* numbers) override {
    return binary_ ? read_binary(word, numbers) : read_text(word, numbers);
  }

  // Decides by the bytes: text has printable numbers. A text line may have the wrong number of
  // them, or numbers in another notation.
  bool next_line_is_text() {
    const bool binary = has_binary_row();
    const auto peeked = input_->peek_until('\n', longest_line());
    if (!peeked) return false;
    std::string_view line = without_return(*peeked);
    if (is_text_row(line, columns())) return true;
    if (binary || has_control_bytes(line)) return false;
    const size_t as_binary = line.find(' ') + 1 + row_bytes();
    const bool readable = peeked->size() != as_binary && is_utf8(line);
    const std::string_view last = take_last_field(line);
    return !trimmed(line, kBetweenFields).empty() && (readable || looks_like_number(last));
  }

  // Returns whether a binary row comes next, with bytes that text never has. A line end may precede
  // it.
  bool has_binary_row() {
    const auto word = input_->peek_until(' ', kLongestWord);
    const size_t begin = word ? word->size() + 1 : 0;
    if (!word || !fits(begin - 1)) return false;
    std::string numbers(input_->peek(begin + row_bytes()).substr(begin, row_bytes()));
    std::erase_if(numbers, [](char c) { return c == '\n' || c == '\r'; });
    return !is_readable(numbers);
  }

  // Returns the first rows of a text, about eight.
  std::vector<std::string_view> first_rows() {
    constexpr size_t kRows = 8, kEnough = 1 << 20;
    const auto first = input_->peek_until('\n', std::max(kLongestFirstLine, longest_line()));
    if (!first) fail_first_line();
    const size_t row = first->size() + 1;
    std::string_view text = input_->peek(std::max(row, std::min(kRows * row, kEnough)));
    std::vector<std::string_view> rows;
    for (size_t end; !text.empty(); text.remove_prefix(std::min(end, text.size() - 1) + 1)) {
      end = text.find('\n');
      if (end == std::string_view::npos && !rows.empty()) break;  // it may continue
      const std::string_view line = without_return(text.substr(0, end));
      if (!line.empty()) rows.push_back(line);
    }
    return rows;
  }

  // Returns how many numbers most of the first rows of a text have: the word of a single row may
  // end in a number. Ties go to `preferred`, or else to the first row's count.
  int64_t usual_numbers(int64_t preferred) {
    std::map<int64_t, int> times;
    int64_t usual = preferred;
    for (const std::string_view row : first_rows()) {
      const int64_t numbers = numbers_in_row(row);
      if (usual < 0) usual = numbers;
      if (++times[numbers] > times[usual]) usual = numbers;
    }
    return usual;
  }

  // Returns whether one of the first rows begins with something else than a fraction, which would
  // be the first number of a row without a word.
  bool any_word() {
    return std::ranges::any_of(first_rows(), [](std::string_view row) {
      const std::string_view field = take_field(row);
      return !float_of(field) || field.find('.') == std::string_view::npos;
    });
  }

  bool read_text(std::string& word, float* numbers) {
    while (!input_->at_end()) {
      const auto line = input_->peek_until('\n', longest_line());
      if (!line) fail_row("is too long");
      const std::string_view text = without_return(*line);
      const bool blank = trimmed(text, kBetweenFields).empty();
      if (!blank) parse_row(text, word, numbers);
      input_->skip(line->size() + 1);
      if (!blank) return true;
    }
    return false;
  }

  void parse_row(std::string_view line, std::string& word, float* numbers) {
    std::string_view rest = line;
    word = take_field(rest);
    if (parse_numbers(rest, numbers, columns()) == columns()) return;
    const auto row = split_row(line, columns());
    if (!row) {
      fail_row(format("has %ld numbers, not %ld", static_cast<long>(numbers_in_row(line)),
                      static_cast<long>(columns())));
    }
    if (parse_numbers(row->numbers, numbers, columns()) != columns()) fail_number(row->numbers);
    word = row->word;
    if (!word.empty()) count_blanks(word);
  }

  // Throws Error: one of the fields is not a number.
  [[noreturn]] void fail_number(std::string_view fields) const {
    std::string_view field;
    do {
      field = take_field(fields);
    } while (float_of(field));
    const bool comma = field.find(',') != std::string_view::npos;
    fail_row("has \"" + excerpt(field) + "\" where a number should be",
             comma ? "write numbers with a point" : nullptr);
  }

  bool read_binary(std::string& word, float* numbers) {
    if (input_->peek(1).starts_with('\n')) input_->skip(1);  // row end in word2vec, not in gensim
    if (input_->at_end()) return false;
    if (count() == declared_rows()) fail_more_rows();
    const size_t word_size = size_of_word();
    const std::string_view bytes = input_->peek(word_size + 1 + row_bytes());
    if (bytes.size() < word_size + 1 + row_bytes()) fail_truncated();
    word = bytes.substr(0, word_size);
    if (word.find(' ') != std::string::npos) count_blanks(word);
    std::memcpy(numbers, bytes.data() + word_size + 1, row_bytes());
    input_->skip(word_size + 1 + row_bytes());
    if (count() == 0) ends_in_line_end_ = input_->peek(1).starts_with('\n');
    return true;
  }

  // Returns the length of the next word. It ends at the first blank, unless the row is only
  // plausible with a later one: gensim writes words with blanks.
  size_t size_of_word() {
    const auto name = input_->peek_until(' ', kLongestWord);
    if (!name) fail_row("has no word");
    const size_t first = name->size();
    if (fits(first)) return first;
    constexpr size_t kLongestName = 256;
    for (size_t size = first; size < kLongestName;) {
      const std::string_view bytes = input_->peek(kLongestName);
      size = bytes.find(' ', size + 1);
      if (size == std::string_view::npos || !is_readable(bytes.substr(0, size))) break;
      if (fits(size)) return size;
    }
    require_word(first);
    return first;
  }

  [[noreturn]] void fail_truncated() const {
    fail_row("is truncated", "copy or download the whole file");
  }

  // Throws Error unless the next bytes, for which no word length is plausible, can still begin with
  // a word of `size` bytes. If rows have line ends, the word may be anything.
  void require_word(size_t size) {
    const std::string_view row = input_->peek(size + 1 + row_bytes() + 1);
    const std::string_view word = row.substr(0, size);
    constexpr std::string_view kNever("\t\n\0", 3);
    const bool ends = row.ends_with('\n') && (ends_in_line_end_ || count() == 0);
    const bool possible = size > 0 && word.find_first_of(kNever) == std::string_view::npos;
    if (possible && ends) return;
    if (possible && !has_control_bytes(word) && (numbers_fit(size) || next_fits(size))) return;
    if (row.size() < size + 1 + row_bytes()) fail_truncated();
    fail_row("has no word, or other bytes in it",
             "it is damaged, or a word contains a blank, which this format cannot represent; save "
             "it as text");
  }

  // Returns whether the next row can be a word of `word_size` bytes and numbers.
  bool fits(size_t word_size) {
    const std::string_view word = input_->peek(word_size).substr(0, word_size);
    return !has_control_bytes(word) && word.find('\t') == std::string_view::npos &&
           numbers_fit(word_size) && next_fits(word_size);
  }

  bool numbers_fit(size_t word_size) {
    const size_t end = word_size + 1 + row_bytes();
    const std::string_view bytes = input_->peek(end);
    return bytes.size() >= end && are_plausible(bytes.data() + word_size + 1, columns());
  }

  // Returns whether another row can follow, or the file ends.
  bool next_fits(size_t word_size) {
    constexpr size_t kGlance = 64;
    const size_t end = word_size + 1 + row_bytes();
    std::string_view rest = input_->peek(end + 1 + kGlance);
    if (rest.size() < end) return false;
    rest.remove_prefix(end);
    if (rest.empty()) return true;
    if (rest[0] != '\n' && ends_in_line_end_) return false;
    if (rest[0] == '\n') rest.remove_prefix(1);
    const size_t blank = rest.find(' ');
    return rest.empty() || (blank == std::string_view::npos ? !has_control_bytes(rest)
                                                            : is_readable(rest.substr(0, blank)));
  }

  size_t row_bytes() const { return static_cast<size_t>(columns()) * sizeof(float); }

  std::unique_ptr<LookAhead> input_;
  bool binary_ = false;
  bool ends_in_line_end_ = false;  // whether the first binary row does
};

}  // namespace

std::unique_ptr<RowReader> open_word2vec(std::unique_ptr<LookAhead> input) {
  return std::make_unique<Word2vecReader>(std::move(input));
}

}  // namespace acevec
