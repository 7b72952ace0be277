// What a job takes is compared with what it may take, before and after it has taken it.

#include "train/job_memory.h"

#include <doctest/doctest.h>

#include "base/error.h"
#include "base/memory.h"
#include "math/matrix.h"

namespace acevec {
namespace {

constexpr int64_t kMib = 1 << 20;
constexpr int64_t kRoom = 200 * kMib;  // beyond what is in use

// The message that refuses a job, or none.
std::string refusal(const std::function<int64_t()>& make) {
  Progress quiet(true);
  try {
    take_memory({"a job", "lower -size"}, resident_bytes() + kRoom, quiet, make);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a job says what it trains") {
  const MemoryUse use = memory_of_training("3 words", 8, "lower -size");
  CHECK(use.job == "training 3 words with vectors of size 8");
  CHECK(use.advice == "lower -size");
}

TEST_CASE("what a job takes later is held to the limit, together with what it has taken") {
  CHECK(refusal([] { return kRoom / 2; }).empty());
  const std::string text = refusal([] { return 2 * kRoom; });
  CHECK(text.starts_with("a job needs "));
  CHECK(text.ends_with(" are available; lower -size, or raise -max-memory"));
}

TEST_CASE("a job that has all memory already is not begun") {
  Progress quiet(true);
  CHECK_THROWS_WITH_AS(take_memory({"a job", "lower -size"}, kMib, quiet, [] { return 0; }),
                       doctest::Contains("and 1 are available"), Error);
}

TEST_CASE("what is too much is refused before it is touched") {
#ifdef ACEVEC_ADDRESS_SANITIZER
  MESSAGE("skipped: the address sanitizer ends where memory is refused");
  return;
#endif
  {
    const AllocationLimit limit(kRoom);
    const Matrix fits(kRoom / 2 / 64, 16);
    bool has_limit = false;
    try {
      const Matrix too_large(kRoom / 64, 16);
    } catch (const std::bad_alloc&) {
      has_limit = true;
    }
    if (!has_limit) {
      MESSAGE("skipped: an emulator gives its programs no limit");
      return;
    }
  }
  int64_t made = 0, peak = 0;
  const auto take = [&] {
    const Matrix untouched(kRoom / 2 / 64, 16);
    made += untouched.untouched_bytes();
    const Matrix too_large(3 * kRoom / 4 / 64, 16);
    peak = resident_bytes();
    return int64_t{0};
  };
  CHECK(refusal(take).find(" needs more than ") != std::string::npos);
  CHECK(made >= kRoom / 2);
  CHECK(peak == 0);
  CHECK_NOTHROW(take());  // without the limit
}

}  // namespace acevec
