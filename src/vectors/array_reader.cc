#include "vectors/array_reader.h"

#include <cstring>
#include <string_view>

#include "base/error.h"
#include "text/lines.h"
#include "text/look_ahead.h"
#include "vectors/half.h"
#include "vectors/numbers.h"

namespace acevec {
namespace {

constexpr size_t kLongestHead = 1 << 20;  // of an .npy file

std::string shown_name(const std::string& path) {
  return path == "-" ? "standard input" : path;
}

// What both formats share: the words.
class ArrayReader : public RowReader {
 protected:
  ArrayReader(const std::string& path, const char* advice, const std::string& words)
      : RowReader(shown_name(path), advice), input_(path), words_(words) {}

  // Reads the values of a row; false at the end.
  virtual bool read_values(float* numbers) = 0;

  LookAhead& input() { return input_; }

 private:
  bool read_row(std::string& word, float* numbers) override {
    const bool more = read_values(numbers);
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

  LookAhead input_;
  LookAhead words_;
};

// The value of `key` in the head of an .npy file, a Python dictionary such as
// {'descr': '<f4', 'fortran_order': False, 'shape': (3, 5), }; empty when it is not there.
std::string_view value_of(std::string_view head, std::string_view key) {
  const size_t at = head.find(key);
  if (at == std::string_view::npos) return {};
  const size_t start = head.find_first_not_of(" '\":", at + key.size());
  return start == std::string_view::npos ? std::string_view{} : head.substr(start);
}

class NpyReader : public ArrayReader {
 public:
  NpyReader(const std::string& path, const std::string& words)
      : ArrayReader(path, "save a 2-D array of float32 with numpy.save", words) {
    constexpr std::string_view kMagic = "\x93NUMPY";
    const std::string_view start = input().peek(12);
    if (!start.starts_with(kMagic) || start.size() < 12) fail("it is not an .npy file");
    const auto byte = [&](size_t i) { return static_cast<size_t>(static_cast<uint8_t>(start[i])); };
    const bool old = start[6] == 1;  // version 1 has a length of 2 bytes, later ones of 4
    const size_t length = byte(8) | byte(9) << 8 | (old ? 0 : byte(10) << 16 | byte(11) << 24);
    const size_t head_start = old ? 10 : 12;
    if (length > kLongestHead) fail("its header is impossible");
    const std::string head(input().peek(head_start + length).substr(head_start).substr(0, length));
    input().skip(head_start + length);
    const std::string_view type = value_of(head, "'descr'");
    for (const size_t bytes : {2U, 4U, 8U}) {
      if (type.starts_with("<f" + std::to_string(bytes) + "'")) number_bytes_ = bytes;
    }
    if (number_bytes_ == 0) fail("its numbers are not float16, float32 or float64, little-endian");
    if (!value_of(head, "'fortran_order'").starts_with("False")) fail("it is stored by columns");
    std::string_view shape = value_of(head, "'shape'");
    shape = shape.substr(0, shape.find(')'));
    const size_t comma = shape.find(',');
    if (!shape.starts_with('(') || comma == std::string_view::npos) fail("it is not 2-D");
    std::string_view second = shape.substr(comma + 1);
    const auto rows = parse<int64_t>(shape.substr(1, comma - 1));
    const auto columns = parse<int64_t>(take_field(second));
    if (!rows || !columns || !take_field(second).empty()) fail("it is not 2-D");
    if (*rows < 1 || *columns < 1 || *columns > kMostColumns) fail("it holds no vectors");
    set_shape(*rows, *columns);
  }

 private:
  bool read_values(float* numbers) override {
    if (count() == promised()) {
      if (!input().at_end()) fail("there are more numbers than its header promises");
      return false;
    }
    const size_t row_bytes = static_cast<size_t>(columns()) * number_bytes_;
    const std::string_view bytes = input().peek(row_bytes);
    if (bytes.size() < row_bytes) fail_row("is truncated");
    for (size_t k = 0; k < static_cast<size_t>(columns()); ++k) {
      const char* const at = bytes.data() + k * number_bytes_;
      numbers[k] = number_bytes_ == 2   ? from_half(number_at<uint16_t>(at))
                   : number_bytes_ == 4 ? number_at<float>(at)
                                        : static_cast<float>(number_at<double>(at));
    }
    input().skip(row_bytes);
    return true;
  }

  template <class Number>
  static Number number_at(const char* bytes) {
    Number number;
    std::memcpy(&number, bytes, sizeof number);
    return number;
  }

  size_t number_bytes_ = 0;
};

class TsvReader : public ArrayReader {
 public:
  TsvReader(const std::string& path, const std::string& words)
      : ArrayReader(path, "give numbers separated by tabs", words) {
    const auto first = input().peek_until('\n', kLongestFirstLine);
    if (!first) fail_first_line();
    set_shape(-1, parse_numbers(without_return(*first), nullptr, 0));
    if (columns() <= 0) fail("it holds no vectors");
  }

 private:
  bool read_values(float* numbers) override {
    if (input().at_end()) return false;
    const auto line = input().peek_until('\n', longest_line());
    if (!line || parse_numbers(without_return(*line), numbers, columns()) != columns()) {
      fail_row("does not hold as many numbers as the others");
    }
    input().skip(line->size() + 1);
    return true;
  }
};

}  // namespace

std::unique_ptr<RowReader> open_array(const std::string& path, VectorFormat format,
                                      const std::string& words) {
  if (format == VectorFormat::kNpy) return std::make_unique<NpyReader>(path, words);
  return std::make_unique<TsvReader>(path, words);
}

}  // namespace acevec
