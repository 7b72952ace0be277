#include "vectors/row_reader.h"

#include <string_view>

#include "base/error.h"
#include "base/numbers.h"
#include "base/same_file.h"
#include "text/lines.h"
#include "vectors/arrays.h"

namespace acevec {
namespace {

// Returns the words file of the vectors at `path`, which users often forget to copy.
std::string words_beside(const std::string& path, VectorFormat format) {
  std::string words = words_path(path, format);
  if (is_special_file(words)) {
    throw Error(
        acevec::format("the words of %s would be %s, which is not a regular file; move it away",
                       path.c_str(), words.c_str()));
  }
  if (exists(words)) return words;
  throw Error(acevec::format(
      "cannot use %s as vectors: there is no %s with its words; write them there, one per line "
      "and in the order of the rows",
      path.c_str(), words.c_str()));
}

class ArrayReader : public RowReader {
 public:
  ArrayReader(const std::string& path, VectorFormat format)
      : RowReader(path, format == VectorFormat::kNpy ? "save a 2-D array of float32 with numpy.save"
                                                     : "give numbers separated by tabs"),
        input_(path),
        words_(words_beside(path, format)) {
    format == VectorFormat::kNpy ? begin_npy() : begin_tsv();
  }

 private:
  void begin_npy() {
    const NpyHead head = read_npy_rows(input_);
    number_ = npy_number(head.type);
    if (number_ == nullptr || number_->to_integer != nullptr || head.type[0] != '<') {
      fail("its numbers are not float16, float32 or float64, little-endian");
    }
    if (!head.shape || head.shape->size() != 2) fail("it is not 2-D");
    const int64_t rows = (*head.shape)[0], columns = (*head.shape)[1];
    if (rows < 1 || columns < 1 || columns > kMostColumns) fail("it contains no vectors");
    set_shape(rows, columns);
  }

  void begin_tsv() {
    const auto first = input_.peek_until('\n', kLongestFirstLine);
    if (!first) fail_first_line();
    set_shape(-1, parse_numbers(without_return(*first), nullptr, 0));
    if (columns() <= 0) fail("it contains no vectors");
  }

  bool read_row(std::string& word, float* numbers) override {
    const bool more = number_ != nullptr ? read_npy(numbers) : read_tsv(numbers);
    if (more == words_.at_end()) {
      fail(format("it has %s rows than %s has words", more ? "more" : "fewer",
                  words_.name().c_str()));
    }
    if (!more) return false;
    const auto line = words_.peek_until('\n', kLongestWord);
    if (!line) fail_row("has an unterminated word");
    word = without_return(*line);
    words_.skip(line->size() + 1);
    return true;
  }

  // Both read the numbers of a row; they return false at the end.
  bool read_npy(float* numbers) {
    if (count() == declared_rows()) {
      if (!input_.at_end()) fail("there are more numbers than its header declares");
      return false;
    }
    const size_t row_bytes = static_cast<size_t>(columns()) * number_->bytes;
    const std::string_view bytes = input_.peek(row_bytes);
    if (bytes.size() < row_bytes) fail_row("is truncated");
    number_->to_floats(bytes.data(), columns(), false, numbers);
    input_.skip(row_bytes);
    return true;
  }
  bool read_tsv(float* numbers) {
    if (input_.at_end()) return false;
    const auto line = input_.peek_until('\n', longest_line());
    if (!line || parse_numbers(without_return(*line), numbers, columns()) != columns()) {
      fail_row("does not have as many numbers as the others");
    }
    input_.skip(line->size() + 1);
    return true;
  }

  LookAhead input_;
  LookAhead words_;
  const ArrayNumber* number_ = nullptr;  // number type of npy; null: the file is tsv
};

}  // namespace

std::unique_ptr<RowReader> open_array(const std::string& path, VectorFormat format) {
  return std::make_unique<ArrayReader>(path, format);
}

}  // namespace acevec
