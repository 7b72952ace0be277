#include "vectors/array_numbers.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "vectors/half.h"

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
  const bool fits = std::abs(wide) <= double{std::numeric_limits<float>::max()};
  return fits ? static_cast<float>(wide) : std::numeric_limits<float>::infinity();
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

}  // namespace acevec
