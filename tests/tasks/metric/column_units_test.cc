// Which tables have columns of different units.

#include "tasks/metric/column_units.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>
#include "base/random.h"

namespace acevec::column_units_test {
namespace {

// 400 points with normal numbers of these deviations.
Matrix points_of(const std::vector<double>& deviations) {
  Random random(3);
  Matrix points(400, static_cast<int64_t>(deviations.size()));
  for (int64_t i = 0; i < points.rows(); ++i) {
    for (size_t k = 0; k < deviations.size(); ++k) {
      points.row(i)[k] = static_cast<float>(deviations[k] * (random.uniform() + random.uniform()));
    }
  }
  return points;
}

std::vector<ColumnUnit> units_of(const Matrix& points) {
  std::vector<float> means(static_cast<size_t>(points.columns()));
  for (size_t k = 0; k < means.size(); ++k) {
    double sum = 0;
    for (int64_t i = 0; i < points.rows(); ++i) sum += double{points.row(i)[k]};
    means[k] = static_cast<float>(sum / static_cast<double>(points.rows()));
  }
  return column_units(points, means);
}

}  // namespace

TEST_CASE("a unit is the deviation, or that of the values other than the usual one") {
  Matrix points(400, 3);
  for (int64_t i = 0; i < points.rows(); ++i) {
    points.row(i)[0] = i % 2 == 0 ? 3.0F : -3.0F;
    points.row(i)[1] = i % 100 == 0 ? 10.0F : 0.0F;  // a hundredth
    points.row(i)[2] = 7;
  }
  const std::vector<ColumnUnit> units = units_of(points);
  CHECK(units[0].size == doctest::Approx(3));
  CHECK(units[0].share == 1);
  CHECK(units[1].size == doctest::Approx(10 * std::sqrt(0.99)));
  CHECK(units[1].share == doctest::Approx(0.01));
  CHECK(units[2].size == 0);
}

TEST_CASE("units differ where a quarter of the columns is ten times smaller than the largest") {
  CHECK(!differ(units_of(points_of({1, 2, 3, 5}))));
  CHECK(differ(units_of(points_of({1, 2, 3, 5000}))));
  CHECK(differ(units_of(points_of({1, 100}))));
  CHECK(!differ(units_of(points_of({1, 90, 70, 80, 75, 100}))));  // one odd column
  CHECK(!differ(units_of(points_of({0, 0, 0, 0, 1, 2}))));        // columns that never vary
  CHECK(!differ(units_of(points_of({0, 0}))));
}

TEST_CASE("components that fall from left to right have one unit") {
  std::vector<double> deviations;
  for (int k = 0; k < 20; ++k) deviations.push_back(100 * std::pow(0.7, k));
  CHECK(!differ(units_of(points_of(deviations))));
  std::swap(deviations[0], deviations[19]);
  std::swap(deviations[3], deviations[15]);
  std::swap(deviations[5], deviations[17]);
  CHECK(differ(units_of(points_of(deviations))));
}

}  // namespace acevec::column_units_test
