// What the system tells of our memory follows what we take.

#include "base/memory.h"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <vector>

#include "base/error.h"

namespace acevec {

TEST_CASE("taking memory shows, and the peak stays") {
#ifdef ACEVEC_ADDRESS_SANITIZER
  MESSAGE("skipped: the address sanitizer takes and gives back memory of its own");
  return;
#endif
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

TEST_CASE("what is available is something, and less for a process with a limit") {
  CHECK(available_bytes() > 0);
#ifdef ACEVEC_ADDRESS_SANITIZER
  MESSAGE("skipped: the address sanitizer cannot live with a limit");
  return;
#endif
  rlimit before{};
  getrlimit(RLIMIT_AS, &before);
  const rlimit none{0, before.rlim_max};
  REQUIRE(setrlimit(RLIMIT_AS, &none) == 0);
  rlimit now{};
  getrlimit(RLIMIT_AS, &now);
  if (now.rlim_cur != 0) {
    MESSAGE("skipped: an emulator gives its programs no limit");
    return;
  }
  const int64_t left = available_bytes();
  setrlimit(RLIMIT_AS, &before);
  CHECK(left == 0);
}

TEST_CASE("sizes are powers of 1024") {
  CHECK(bytes_of("1K") == 1024);
  CHECK(bytes_of("500M") == int64_t{500} << 20);
  CHECK(bytes_of("1.5G") == int64_t{3} << 29);
  CHECK(bytes_of("8T") == int64_t{8} << 40);
  for (const char* typed : {"", "4", "G", "-1G", "0G", "4g", "4GB", "nanG", "1e30T", " 4G"}) {
    CAPTURE(typed);
    CHECK_THROWS_WITH_AS(bytes_of(typed), doctest::Contains("give a size"), Error);
  }
}

}  // namespace acevec
