#include "vectors/arrays.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

#include "base/error.h"
#include "base/numbers.h"

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

float to_float(double wide) {
  return narrowed(wide);
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

}  // namespace acevec
