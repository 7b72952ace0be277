// Arrays in numpy's .npy files and in IDX files: the types of their numbers, including 16-bit
// floats, and the header of .npy files.
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

// Returns whether the nearest 16-bit float (IEEE 754 binary16: sign, 5 bits of exponent, 10 of
// mantissa) is finite.
inline bool fits_half(float number) {
  return std::abs(number) < 65520.0F;
}

// Returns the nearest 16-bit float; ties go to the one whose last bit is 0. fits_half(number) must
// hold.
inline uint16_t to_half(float number) {
  const auto sign = static_cast<uint32_t>(std::signbit(number)) << 15U;
  const float size = std::abs(number);
  // Below 2^−14, multiples of 2^−24; above, the 10 bits after the leading one.
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

// A number type. `swapped`: the numbers are big-endian.
struct ArrayNumber {
  char idx;              // code in IDX files, 0x08 for MNIST's; 0: none
  std::string_view npy;  // name in .npy files without the byte order: "f4"
  size_t bytes;
  // Numbers out of float's range become infinite.
  void (*to_floats)(const char* from, int64_t count, bool swapped, float* to);
  int64_t (*to_integer)(const char* from, bool swapped);  // null: not an integer type
};

// Return the type of this name, or null. `npy`: with the byte order, "<f4" or "|u1".
const ArrayNumber* idx_number(char idx);
const ArrayNumber* npy_number(std::string_view npy);

// The type and shape of the numbers that follow the header of an .npy file.
struct NpyHead {
  std::string type;         // in numpy's notation, "<f4"
  bool by_columns = false;  // Fortran (column-major) order
  // Lengths of the dimensions, each ≥ 0; unset if the header does not list them.
  std::optional<std::vector<int64_t>> shape;
};

// Returns whether the next bytes begin an .npy file.
bool begins_npy(LookAhead& input);

// Reads the header and leaves `input` at the numbers. Throws Error without the file's name.
NpyHead read_npy_head(LookAhead& input);

}  // namespace acevec
