// Tests of math/principal_components: variances of known directions, and distances.

#include "math/principal_components.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "base/random.h"

namespace acevec {
namespace {

// Independent columns of deviations 4, 2, 1 and 0.5, turned by 30 degrees in the plane of the first
// and the third, around (10, 0, −3, 5).
Matrix turned_cloud(int64_t rows) {
  Random random(4);
  Matrix cloud(rows, 4);
  const float c = std::sqrt(0.75F), s = 0.5F;
  for (int64_t i = 0; i < rows; ++i) {
    float x[4];
    for (int k = 0; k < 4; ++k) {
      x[k] = std::ldexp(4.0F, -k) * std::sqrt(12.0F) * (random.uniform() - 0.5F);
    }
    const float turned[] = {10 + c * x[0] - s * x[2], x[1], -3 + s * x[0] + c * x[2], 5 + x[3]};
    std::memcpy(cloud.row(i), turned, sizeof turned);
  }
  return cloud;
}

double mean_product(const Matrix& rows, int64_t k, int64_t l) {
  double sum = 0;
  for (int64_t i = 0; i < rows.rows(); ++i) sum += double{rows.row(i)[k]} * double{rows.row(i)[l]};
  return sum / static_cast<double>(rows.rows());
}

double squared_distance(const Matrix& rows, int64_t i, int64_t j) {
  double sum = 0;
  for (int64_t k = 0; k < rows.columns(); ++k) {
    const double difference = double{rows.row(i)[k]} - double{rows.row(j)[k]};
    sum += difference * difference;
  }
  return sum;
}

}  // namespace

TEST_CASE("components are centred, uncorrelated, and the first have the largest variances") {
  const Matrix cloud = turned_cloud(20000);
  const Matrix components = principal_components(cloud, 3, 1);
  REQUIRE(components.columns() == 3);
  for (int k = 0; k < 3; ++k) {
    double mean = 0;
    for (int64_t i = 0; i < components.rows(); ++i) mean += double{components.row(i)[k]};
    CHECK(std::abs(mean / 20000) < 1e-4);
    CHECK(mean_product(components, k, k) ==
          doctest::Approx(std::ldexp(16.0, -2 * k)).epsilon(0.05));
    for (int l = 0; l < k; ++l) CHECK(std::abs(mean_product(components, k, l)) < 1e-3);
  }
  const Matrix again = principal_components(cloud, 3, 3);
  CHECK(std::memcmp(again.row(0), components.row(0), static_cast<size_t>(again.bytes())) == 0);
}

TEST_CASE("with all components distances stay, also of fewer rows than columns and of equal rows") {
  for (const int64_t rows : {300, 3, 1}) {
    const Matrix cloud = turned_cloud(rows);
    const Matrix components = principal_components(cloud, 4, 2);
    for (int64_t i = 0; i < rows; ++i) {
      CHECK(squared_distance(components, i, 0) ==
            doctest::Approx(squared_distance(cloud, i, 0)).epsilon(1e-4));
    }
  }
  Matrix equal(5, 3);
  for (int64_t i = 0; i < 5; ++i) equal.row(i)[1] = 2;
  const Matrix components = principal_components(equal, 2, 1);
  for (int64_t i = 0; i < 5; ++i) CHECK(components.row(i)[0] == 0);
}

}  // namespace acevec
