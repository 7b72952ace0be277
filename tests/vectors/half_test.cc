// Numbers of 16 bits: every one of them, and rounding to the nearest.

#include "vectors/half.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace acevec {

TEST_CASE("every finite half comes back, and what lies between two goes to the nearer one") {
  int64_t wrong = 0;
  for (uint32_t bits = 0; bits < 0x7C00; ++bits) {
    const float number = from_half(static_cast<uint16_t>(bits));
    wrong += to_half(number) == bits && to_half(-number) == (bits | 0x8000U) ? 0 : 1;
    if (bits + 1 == 0x7C00) break;
    const float middle = (number + from_half(static_cast<uint16_t>(bits + 1))) / 2;
    const uint32_t even = bits + bits % 2;
    wrong += to_half(middle) == even ? 0 : 1;
    wrong += to_half(std::nextafter(middle, 0.0F)) == bits ? 0 : 1;
    wrong += to_half(std::nextafter(middle, 1e9F)) == bits + 1 ? 0 : 1;
  }
  CHECK(wrong == 0);
  CHECK(from_half(0x3C00) == 1.0F);
  CHECK(from_half(0xC000) == -2.0F);
  CHECK(from_half(0x7BFF) == 65504.0F);
  CHECK(from_half(0x0001) == 0x1p-24F);
  CHECK(std::isinf(from_half(0x7C00)));
  CHECK(std::isnan(from_half(0x7C01)));
}

TEST_CASE("what would become infinite fits no half") {
  CHECK(fits_half(65519.9F));
  CHECK(to_half(65519.9F) == 0x7BFF);
  CHECK_FALSE(fits_half(65520.0F));
  CHECK_FALSE(fits_half(-1e30F));
  CHECK_FALSE(fits_half(std::nanf("")));
}

}  // namespace acevec
