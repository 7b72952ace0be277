// Numbers of 16 bits, IEEE 754's binary16: a sign, 5 bits of exponent, 10 of mantissa.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace acevec {

// Whether the nearest one is not infinite.
inline bool fits_half(float number) {
  return std::abs(number) < 65520.0F;
}

// The nearest one; of two that are as near, the one whose last bit is 0. `number` fits.
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

}  // namespace acevec
