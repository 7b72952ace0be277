#include "vectors/array_reader.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <type_traits>

#include "base/error.h"
#include "base/numbers.h"
#include "base/same_file.h"

namespace acevec {
namespace {

static_assert(std::endian::native == std::endian::little);

struct Half {
  uint16_t bits;
};

template <class Number>
float to_float(Number number) {
  return static_cast<float>(number);
}

float to_float(Half half) {
  return from_half(half.bits);
}

template <class Number>
Number number_at(const char* bytes, bool swapped) {
  std::array<char, sizeof(Number)> copy;
  std::memcpy(copy.data(), bytes, copy.size());
  if (swapped) std::reverse(copy.begin(), copy.end());
  return std::bit_cast<Number>(copy);
}

template <class Number>
void to_floats(const char* from, int64_t count, bool swapped, float* to) {
  for (int64_t k = 0; k < count; ++k) {
    to[k] = to_float(number_at<Number>(from + k * int64_t{sizeof(Number)}, swapped));
  }
}

template <class Number>
int64_t to_integer(const char* from, bool swapped) {
  const auto number = number_at<Number>(from, swapped);
  // int8_t is a number here: NOLINTNEXTLINE(bugprone-signed-char-misuse)
  return static_cast<int64_t>(number);
}

template <class Number>
constexpr ArrayNumber type(char idx, std::string_view npy) {
  ArrayNumber type{idx, npy, sizeof(Number), to_floats<Number>, nullptr};
  if constexpr (std::is_integral_v<Number>) type.to_integer = to_integer<Number>;
  return type;
}

constexpr ArrayNumber kNumbers[] = {
    type<uint8_t>(0x08, "u1"), type<int8_t>(0x09, "i1"), type<uint16_t>(0, "u2"),
    type<int16_t>(0x0B, "i2"), type<uint32_t>(0, "u4"),  type<int32_t>(0x0C, "i4"),
    type<uint64_t>(0, "u8"),   type<int64_t>(0, "i8"),   type<Half>(0, "f2"),
    type<float>(0x0D, "f4"),   type<double>(0x0E, "f8"),
};

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kLongestHead = 1 << 20;

// Returns the text from the value of `key` on, in a header, which is a Python dictionary such as
// {'descr': '<f4', 'fortran_order': False, 'shape': (3, 5), }; empty if it is missing.
std::string_view value_of(std::string_view head, std::string_view key) {
  const size_t at = head.find(key);
  if (at == std::string_view::npos) return {};
  const size_t start = head.find_first_not_of(" '\":", at + key.size());
  return start == std::string_view::npos ? std::string_view{} : head.substr(start);
}

// Parses "(3, 5)" or "(3,)".
std::optional<std::vector<int64_t>> parse_shape(std::string_view typed) {
  if (!typed.starts_with('(') || typed.find(')') == std::string_view::npos) return std::nullopt;
  typed = typed.substr(1, typed.find(')') - 1);
  std::vector<int64_t> shape;
  while (!typed.empty()) {
    std::string_view part = take_part(typed, ',');
    const std::string_view field = take_field(part);
    if (field.empty() && typed.empty() && !shape.empty()) break;  // the comma of (3,)
    const auto length = number_of<int64_t>(field);
    if (!length || *length < 0 || !take_field(part).empty()) return std::nullopt;
    shape.push_back(*length);
  }
  return shape;
}

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

std::unique_ptr<RowReader> open_numbers(std::unique_ptr<LookAhead> input, VectorFormat format) {
  if (format == VectorFormat::kTsv) return std::make_unique<NumberTable>(std::move(input), "\t ");
  const char* const advice = "save a 2-D array of float32 with numpy.save";
  const std::string path = input->name();
  auto array = std::make_unique<NumberArray>(std::move(input), advice);
  if (array->shape().size() != 1) {
    throw Error("cannot use " + path + ": it is not 2-D; " + advice);
  }
  return array;
}

// Numbers, and their words from a second file.
class ArrayReader final : public RowReader {
 public:
  ArrayReader(std::unique_ptr<LookAhead> input, VectorFormat format)
      : RowReader(input->name(), "give a word for each row"),
        words_(words_beside(input->name(), format)),
        numbers_(open_numbers(std::move(input), format)) {
    set_shape(numbers_->declared_rows(), numbers_->columns());
  }

 private:
  bool read_row(std::string& word, float* numbers) override {
    const bool more = numbers_->next(word, numbers);
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

  LookAhead words_;
  std::unique_ptr<RowReader> numbers_;
};

}  // namespace

const ArrayNumber* idx_number(char idx) {
  for (const ArrayNumber& number : kNumbers) {
    if (number.idx == idx && idx != 0) return &number;
  }
  return nullptr;
}

const ArrayNumber* npy_number(std::string_view npy) {
  if (npy.empty() || std::string_view("<>|").find(npy[0]) == std::string_view::npos) return nullptr;
  for (const ArrayNumber& number : kNumbers) {
    if (number.npy == npy.substr(1)) return &number;
  }
  return nullptr;
}

bool begins_npy(LookAhead& input) {
  return input.peek(kMagic.size()).starts_with(kMagic);
}

NpyHead read_npy_head(LookAhead& input) {
  const std::string_view start = input.peek(12);
  if (!start.starts_with(kMagic) || start.size() < 12) throw Error("it is not an .npy file");
  const auto byte = [&](size_t i) { return static_cast<size_t>(static_cast<uint8_t>(start[i])); };
  const bool old = start[6] == 1;  // the length has 2 bytes in version 1, and 4 in later ones
  const size_t length = byte(8) | byte(9) << 8 | (old ? 0 : byte(10) << 16 | byte(11) << 24);
  const size_t head_start = old ? 10 : 12;
  if (length > kLongestHead) throw Error("its header is invalid");
  const std::string head(input.peek(head_start + length).substr(head_start).substr(0, length));
  if (head.size() < length) throw Error("its header is truncated");
  input.skip(head_start + length);
  const std::string_view type = value_of(head, "'descr'");
  return {std::string(type.substr(0, type.find('\''))),
          !value_of(head, "'fortran_order'").starts_with("False"),
          parse_shape(value_of(head, "'shape'"))};
}

bool NumberArray::begins(LookAhead& input) {
  if (begins_npy(input)) return true;
  const std::string_view start = input.peek(4);
  return start.size() >= 4 && start[0] == 0 && start[1] == 0 && idx_number(start[2]) != nullptr &&
         start[3] != 0;
}

NumberArray::NumberArray(std::unique_ptr<LookAhead> input, const char* advice)
    : RowReader(input->name(), advice), input_(std::move(input)) {
  take_every_row();
  begins_npy(*input_) ? read_npy_shape() : read_idx_head();
}

// Two zeros, the type, the number of dimensions, and their lengths, big-endian.
void NumberArray::read_idx_head() {
  if (!begins(*input_)) fail("it is neither an IDX file nor an .npy file");
  const std::string_view start = input_->peek(4);
  number_ = idx_number(start[2]);
  swapped_ = true;
  const auto dimensions = static_cast<size_t>(static_cast<uint8_t>(start[3]));
  const size_t bytes = 4 + 4 * dimensions;
  const std::string_view head = input_->peek(bytes);
  if (head.size() < bytes) fail("its header is truncated");
  std::vector<int64_t> lengths;
  for (size_t i = 0; i < dimensions; ++i) {
    lengths.push_back(npy_number(">u4")->to_integer(head.data() + 4 + 4 * i, true));
  }
  input_->skip(bytes);
  set_array(lengths);
}

void NumberArray::read_npy_shape() {
  NpyHead head;
  try {
    head = read_npy_head(*input_);
  } catch (const Error& error) {
    fail(error.what());
  }
  if (head.by_columns) fail("it is in Fortran (column-major) order");
  number_ = npy_number(head.type);
  if (number_ == nullptr) fail("its numbers are of type " + excerpt(head.type));
  swapped_ = head.type[0] == '>';
  if (!head.shape || head.shape->empty()) fail("its shape is not a list of lengths");
  set_array(*head.shape);
}

void NumberArray::set_array(const std::vector<int64_t>& lengths) {
  if (lengths[0] < 1 || lengths[0] > std::numeric_limits<int32_t>::max()) {
    fail(format("its header declares %ld rows", static_cast<long>(lengths[0])));
  }
  shape_.assign(lengths.begin() + 1, lengths.end());
  int64_t columns = 1;
  for (const int64_t length : shape_) {
    if (length < 1) fail("its rows have no numbers");
    if (length > kMostColumns / columns) {
      fail(format("its rows have more than %ld numbers", static_cast<long>(kMostColumns)));
    }
    columns *= length;
  }
  set_shape(lengths[0], columns);
}

// The bytes of the next row; null after the last one.
const char* NumberArray::peek_row() {
  if (count() + labels_ == declared_rows()) {
    if (!input_->at_end()) fail("there are more numbers than its header declares");
    return nullptr;
  }
  const size_t bytes = static_cast<size_t>(columns()) * number_->bytes;
  const std::string_view row = input_->peek(bytes);
  if (row.size() < bytes) {
    fail(format("row %ld of %ld is truncated", static_cast<long>(count() + labels_ + 1),
                static_cast<long>(declared_rows())));
  }
  return row.data();
}

bool NumberArray::read_row(std::string& word, float* numbers) {
  const char* const row = peek_row();
  if (row == nullptr) return false;
  word.clear();
  number_->to_floats(row, columns(), swapped_, numbers);
  input_->skip(static_cast<size_t>(columns()) * number_->bytes);
  return true;
}

std::optional<int64_t> NumberArray::next_label() {
  if (!shape_.empty()) fail("it is not a list of labels: it has more than one dimension");
  if (number_->to_integer == nullptr) fail("its labels are not integers");
  const char* const row = peek_row();
  if (row == nullptr) return std::nullopt;
  const int64_t label = number_->to_integer(row, swapped_);
  input_->skip(number_->bytes);
  ++labels_;
  return label;
}

NumberTable::NumberTable(std::unique_ptr<LookAhead> input, const char* delimiters)
    : RowReader(input->name(), "give as many numbers in each line"),
      input_(std::move(input)),
      delimiters_(delimiters) {
  take_every_row();
  const auto first = fields();
  if (!first || first == std::vector<std::string_view>{""}) fail("it contains no numbers");
  if (std::ssize(*first) > kMostColumns) fail("its lines are too long");
  set_shape(-1, std::ssize(*first));
  const auto is_number = [](std::string_view field) { return float_of(field).has_value(); };
  if (std::ranges::any_of(*first, is_number)) return;
  input_->skip(line_bytes_);
  if (input_->at_end()) fail("it contains no numbers");
}

// Peeks at the next line's fields; nothing at the end.
std::optional<std::vector<std::string_view>> NumberTable::fields() {
  const auto peeked = input_->peek_until('\n', kLongestFirstLine);
  if (!peeked) fail_row("is longer than 16 MiB");
  line_bytes_ = peeked->size() + 1;
  if (input_->at_end()) return std::nullopt;
  return split(trimmed(without_return(*peeked), " \t"), delimiters_);
}

bool NumberTable::read_row(std::string& /*word*/, float* numbers) {
  const auto row = fields();
  if (!row) return false;
  if (std::ssize(*row) != columns()) fail_row("has another number of columns");
  for (size_t k = 0; k < row->size(); ++k) {
    const auto number = float_of(trimmed((*row)[k], " \""));
    if (!number) {
      fail_row(format("has no number in column %zu", k + 1),
               "remove columns that are no numbers; labels belong in a file of their own, for "
               "-labels");
    }
    numbers[k] = *number;
  }
  input_->skip(line_bytes_);
  return true;
}

std::unique_ptr<RowReader> open_array(const std::string& path, VectorFormat format) {
  return std::make_unique<ArrayReader>(std::make_unique<LookAhead>(path), format);
}

}  // namespace acevec
