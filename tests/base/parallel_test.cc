// Tests of base/parallel: every thread runs once, and exceptions come home.

#include "base/parallel.h"

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

#include "base/error.h"

namespace acevec {

TEST_CASE("each thread's number comes once") {
  for (const int threads : {1, 2, 3, 16}) {
    std::vector<std::atomic<int>> calls(static_cast<size_t>(threads));
    in_parallel(threads, [&](int thread) { ++calls[static_cast<size_t>(thread)]; });
    for (const auto& count : calls) CHECK(count == 1);
  }
}

TEST_CASE("an exception keeps its type and the other threads end first") {
  for (const int thrower : {0, 1, 3}) {
    std::atomic<int> ended{0};
    const auto work = [&](int thread) {
      if (thread == thrower) throw UsageError("from a thread");
      ++ended;
    };
    CHECK_THROWS_WITH_AS(in_parallel(4, work), "from a thread", UsageError);
    CHECK(ended == 3);
  }
}

TEST_CASE("of several exceptions one comes home") {
  CHECK_THROWS_AS(in_parallel(4, [](int) { throw std::runtime_error("each"); }),
                  std::runtime_error);
}

}  // namespace acevec
