// Rows are aligned, padded with zeros, and survive a change of their number.

#include "math/matrix.h"

#include <cstdint>
#include <limits>
#include <new>
#include <vector>

#include <doctest/doctest.h>

namespace acevec {

TEST_CASE("rows are aligned and padded") {
  Matrix matrix(7, 50);
  CHECK(matrix.stride() == 64);
  CHECK(matrix.bytes() == 7 * 64 * 4);
  for (int64_t i = 0; i < 7; ++i) {
    CHECK(reinterpret_cast<uintptr_t>(matrix.row(i)) % 64 == 0);
    for (int64_t k = 0; k < 64; ++k) CHECK(matrix.row(i)[k] == 0.0F);
  }
}

TEST_CASE("resize keeps rows and brings only zeros") {
  Matrix matrix(3, 16);
  matrix.row(1)[5] = 1.0F;
  matrix.row(2)[5] = 2.0F;
  matrix.resize(2);
  matrix.resize(100000);
  CHECK(matrix.rows() == 100000);
  CHECK(matrix.row(1)[5] == 1.0F);
  CHECK(matrix.row(2)[5] == 0.0F);
  CHECK(matrix.row(99999)[15] == 0.0F);
}

TEST_CASE("a number that is not finite is found wherever it is") {
  using Limits = std::numeric_limits<float>;
  for (const int64_t count : {0, 1, 15, 100}) {
    std::vector<float> numbers(static_cast<size_t>(count), Limits::max());
    for (float& x : numbers) {
      for (const float good : {-Limits::max(), Limits::denorm_min(), -0.0F}) {
        x = good;
        CHECK(all_finite(numbers.data(), count));
      }
      for (const float bad : {Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(),
                              -Limits::signaling_NaN()}) {
        x = bad;
        CHECK(!all_finite(numbers.data(), count));
      }
      x = 1;
    }
    CHECK(all_finite(numbers.data(), count));
  }
}

TEST_CASE("a matrix too large to address is refused") {
  CHECK_THROWS_AS(Matrix(int64_t{1} << 60, 1000), std::bad_alloc);
}

TEST_CASE("a matrix of more than 2^31 numbers is addressed in 64 bits") {
  Matrix matrix((int64_t{1} << 31) / 64 + 2, 64);  // touched in two places only
  const int64_t last = matrix.rows() - 1;
  matrix.row(last)[63] = 1.0F;
  CHECK(matrix.row(last)[63] == 1.0F);
  CHECK(matrix.row(0)[0] == 0.0F);
  CHECK(matrix.row(last) - matrix.row(0) > int64_t{1} << 31);
}

}  // namespace acevec
