// Distances to columns of points, for every instruction set, against plain loops in double.

#include "kernels/distances.h"

#include <cmath>
#include <vector>

#include <doctest/doctest.h>
#include "base/random.h"
#include "instruction_sets.h"

namespace acevec {
namespace {

using Point = std::vector<float>;

Point random_point(int64_t size, Random& random) {
  Point point(static_cast<size_t>(size));
  for (float& value : point) value = 2 * random.uniform() - 1;
  return point;
}

// What the kernels compute, of one point.
struct Sums {
  double l1 = 0, product = 0, moduli = 0;
};

Sums sums_of(const Point& query, const Point& direction, const Point& point, float shift) {
  Sums sums;
  for (size_t k = 0; k < query.size(); ++k) {
    const double difference =
        double{query[k]} - double{point[k]} - double{shift} * double{direction[k]};
    sums.l1 += std::abs(difference);
    sums.product += double{query[k]} * double{point[k]};
    if (k % 2 == 1) {
      sums.moduli += std::hypot(difference, double{query[k - 1]} - double{point[k - 1]});
    }
  }
  return sums;
}

}  // namespace

TEST_CASE("distances from a query to columns are what plain loops give") {
  for_each_instruction_set([] {
    Random random(1);
    for (const int64_t size : {1, 7, 16, 50}) {
      for (const int64_t count : {1, 15, 16, 17, 64, 65, 200}) {
        const Point query = random_point(size, random);
        const Point direction = random_point(size, random);
        const Point still(static_cast<size_t>(size));
        Columns columns(size, count);
        std::vector<Point> points;
        std::vector<float> shifts;
        for (int64_t j = 0; j < count; ++j) {
          points.push_back(random_point(size, random));
          shifts.push_back(random.uniform());
          columns.set(j, points.back().data(), shifts.back());
        }
        double worst = 0;
        for (const int64_t first : {int64_t{0}, count / 32 * 16}) {
          std::vector<float> l1(static_cast<size_t>(padded(count))), near(l1), products(l1),
              moduli(l1);
          const int64_t some = count - first;
          l1_distances(query.data(), direction.data(), columns, first, some, l1.data());
          l1_distances(query.data(), nullptr, columns, first, some, near.data());
          negative_products(query.data(), columns, first, some, products.data());
          modulus_distances(query.data(), columns, first, some, moduli.data());
          for (int64_t j = 0; j < some; ++j) {
            const auto at = static_cast<size_t>(j);
            const auto id = static_cast<size_t>(first + j);
            const Sums moved = sums_of(query, direction, points[id], shifts[id]);
            const Sums plain = sums_of(query, still, points[id], 0);
            for (const double error :
                 {moved.l1 - double{l1[at]}, plain.l1 - double{near[at]},
                  plain.product + double{products[at]}, plain.moduli - double{moduli[at]}}) {
              worst = std::max(worst, std::abs(error));
            }
          }
        }
        CAPTURE(size);
        CAPTURE(count);
        CHECK(worst < 1e-4);
      }
    }
  });
}

TEST_CASE("a point has the same distance whichever points are looked at with it") {
  Random random(2);
  constexpr int64_t kSize = 50, kCount = 100;
  Columns columns(kSize, kCount);
  for (int64_t j = 0; j < kCount; ++j) {
    columns.set(j, random_point(kSize, random).data(), random.uniform());
  }
  const Point query = random_point(kSize, random), direction = random_point(kSize, random);
  std::vector<float> all(padded(kCount)), some(padded(kCount));
  l1_distances(query.data(), direction.data(), columns, 0, kCount, all.data());
  for (int64_t first = 0; first < kCount; first += kRowPadding) {
    l1_distances(query.data(), direction.data(), columns, first, 1, some.data());
    CHECK(some[0] == all[static_cast<size_t>(first)]);
  }
}

}  // namespace acevec
