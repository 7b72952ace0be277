// Triplets on a line, whose loss and gradient are known.

#include "tasks/metric/negatives.h"

#include <doctest/doctest.h>

#include "math/matrix.h"

namespace acevec {

TEST_CASE("the loss is the mean over anchors, each with the negatives that it has") {
  // Points of one number each: anchor, positive, a near and a far negative.
  constexpr int64_t kRows = 4;
  Matrix points(kRows, 1);
  const float places[kRows] = {0, 1, 2, 5};
  for (int64_t i = 0; i < kRows; ++i) points.row(i)[0] = places[i];
  const int64_t width = points.stride();
  std::vector<float> squares(kRows * kRows), slopes(kRows * kRows);
  squared_distances(points.row(0), kRows, width, squares.data());
  for (int64_t i = 0; i < kRows; ++i) {
    for (int64_t j = 0; j < kRows; ++j) {
      const float apart = places[i] - places[j];
      CHECK(squares[static_cast<size_t>(i * kRows + j)] == doctest::Approx(apart * apart));
    }
  }
  const std::vector<int32_t> classes{0, 0, 1, 1}, positives{1, 0, 3, 2};
  // The first anchor has both negatives, the second one, the others none.
  const std::vector<int32_t> negatives{2, 3, 2, -1, -1, -1, -1, -1};
  Matrix gradient(kRows, 1);
  const Sums sums = triplet_gradient(
      4, {squares.data(), classes.data(), positives.data(), kRows, points.row(0), width},
      negatives.data(), 2, slopes.data(), gradient.row(0));
  CHECK(sums.loss.count == 2);
  CHECK(sums.means[1].sum == doctest::Approx(1 + 1));
  CHECK(sums.means[2].sum == doctest::Approx((4 + 25) / 2.0 + 1));
  CHECK(sums.means[3].sum == doctest::Approx(0.5 + 1));
  CHECK(sums.loss.sum == doctest::Approx((4 + 1 - 4) / 2.0 + (4 + 1 - 1)));
  // ½ [½ (4 + (a − p)² − (a − n)²) + (4 + (a − p)² − (p − n)²)] by a, p and n.
  CHECK(gradient.row(0)[0] == doctest::Approx(0.5 * (0.5 * (-2 + 4) - 2)));
  CHECK(gradient.row(1)[0] == doctest::Approx(0.5 * (0.5 * 2 + 2 + 2)));
  CHECK(gradient.row(2)[0] == doctest::Approx(0.5 * (0.5 * -4 - 2)));
  CHECK(gradient.row(3)[0] == 0);
}

}  // namespace acevec
