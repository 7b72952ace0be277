// Arrays in numpy's .npy files and in IDX files: the types of their numbers, among them those of 16
// bits, and the head of .npy files.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/lines.h"

namespace acevec {

// Whether the nearest number of 16 bits (IEEE 754's binary16: a sign, 5 bits of exponent, 10 of
// mantissa) is not infinite.
inline bool fits_half(float number) {
  return std::abs(number) < 65520.0F;
}

// The nearest number of 16 bits; of two as near, the one whose last bit is 0. `number` fits.
inline uint16_t to_half(float number) {
  const auto sign = static_cast<uint32_t>(std::signbit(number)) << 15U;
  const float size = std::abs(number);
  // Multiples of 2^−24 below 2^−14; the 10 bits behind the first one above.
  if (size < 0x1p-14F)
    return static_cast<uint16_t>(sign | static_cast<uint32_t>(std::nearbyint(size * 0x1p24F)));
  const auto bits = std::bit_cast<uint32_t>(size);
  const uint32_t odd = bits >> 13U & 1U;
  const uint32_t rounded = bits + 0xFFFU + odd;
  return static_cast<uint16_t>(sign | ((rounded >> 13U) - ((127U - 15U) << 10U)));
}

inline float from_half(uint16_t half) {
  const uint32_t exponent = half >> 10U & 0x1FU;
  const uint32_t mantissa = half & 0x3FFU;
  float size = 0;
  if (exponent == 0) {
    size = static_cast<float>(mantissa) * 0x1p-24F;
  } else {
    const uint32_t wide = exponent == 0x1F ? 0xFF : exponent + (127U - 15U);
    size = std::bit_cast<float>(wide << 23U | mantissa << 13U);
  }
  return (half & 0x8000U) != 0 ? -size : size;
}

// A type of numbers. `swapped`: they are big-endian.
struct ArrayNumber {
  char idx;              // its code in IDX files, 0x08 for MNIST's; 0: it has none
  std::string_view npy;  // its name in .npy files, behind the byte order: "f4"
  size_t bytes;
  // Numbers beyond a float's range become infinite.
  void (*to_floats)(const char* from, int64_t count, bool swapped, float* to);
  int64_t (*to_integer)(const char* from, bool swapped);  // null: not a type of integers
};

// The type of that name; null where there is none. `npy`: with the byte order, "<f4" or "|u1".
const ArrayNumber* idx_number(char idx);
const ArrayNumber* npy_number(std::string_view npy);

// The type and shape of the numbers that follow the head of an .npy file.
struct NpyHead {
  std::string type;         // as numpy writes it, "<f4"
  bool by_columns = false;  // Fortran's order
  // Lengths of the dimensions, each ≥ 0; none where the head does not list them.
  std::optional<std::vector<int64_t>> shape;
};

// Whether the next bytes begin an .npy file.
bool begins_npy(LookAhead& input);

// Reads the head; the numbers come next. Throws Error without the file's name.
NpyHead read_npy_head(LookAhead& input);

}  // namespace acevec
