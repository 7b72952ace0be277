// What the system tells of our memory follows what we take.

#include "base/memory.h"

#include <doctest/doctest.h>

#include <vector>

namespace acevec {

TEST_CASE("taking memory shows, and the peak stays") {
  constexpr int64_t kBytes = 64 << 20;
  const int64_t before = resident_bytes();
  REQUIRE(before > 0);
  {
    const std::vector<char> taken(kBytes, 1);
    CHECK(taken[kBytes / 2] == 1);
    CHECK(resident_bytes() >= before + kBytes * 9 / 10);
  }
  CHECK(peak_resident_bytes() >= before + kBytes * 9 / 10);
  CHECK(peak_resident_bytes() >= resident_bytes());
}

}  // namespace acevec
