// Memory from the system is zero, aligned, and refused when there is not so much.

#include "base/pages.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <new>

namespace acevec {

TEST_CASE("mapped memory is zeros, on a page's start, and writable to its end") {
  constexpr int64_t kBytes = (4 << 20) + 123;
  const std::unique_ptr<char, Unmap> memory(static_cast<char*>(map_zeros(kBytes)), Unmap{kBytes});
  CHECK(reinterpret_cast<uintptr_t>(memory.get()) % 4096 == 0);
  CHECK(memory.get()[0] == 0);
  CHECK(memory.get()[kBytes - 1] == 0);
  memory.get()[kBytes - 1] = 1;
  CHECK(memory.get()[kBytes - 1] == 1);
}

TEST_CASE("more memory than can be addressed is refused") {
  CHECK_THROWS_AS(map_zeros(int64_t{1} << 62), std::bad_alloc);
}

}  // namespace acevec
