// Tests of math/covariance: its definition, for any number of threads; mean and covariance after
// whitening; the variances of principal components, and distances.

#include "math/covariance.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "base/random.h"
#include "instruction_sets.h"

namespace acevec {
namespace {

// Correlated columns of different scales far from 0, and frequencies as those of words.
struct Sample {
  Sample(int64_t words, int64_t columns) : rows(words, columns), p(static_cast<size_t>(words)) {
    Random random(3);
    double total = 0;
    for (int64_t i = 0; i < words; ++i) {
      float before = 0;
      for (int64_t k = 0; k < columns; ++k) {
        before = 0.7F * before + random.uniform() - 0.5F;
        rows.row(i)[k] = 5 + before * static_cast<float>(1 + k % 7);
      }
      p[static_cast<size_t>(i)] = 1 / (1.0 + static_cast<double>(i));
      total += p[static_cast<size_t>(i)];
    }
    for (double& share : p) share /= total;
  }

  Matrix rows;
  std::vector<double> p;
};

double mean_at(const Sample& sample, int64_t k) {
  double sum = 0;
  for (int64_t i = 0; i < sample.rows.rows(); ++i) {
    sum += sample.p[static_cast<size_t>(i)] * static_cast<double>(sample.rows.row(i)[k]);
  }
  return sum;
}

double covariance_at(const Sample& sample, int64_t k, int64_t l) {
  double sum = 0;
  for (int64_t i = 0; i < sample.rows.rows(); ++i) {
    const float* const row = sample.rows.row(i);
    sum += sample.p[static_cast<size_t>(i)] * double{row[k]} * double{row[l]};
  }
  return sum - mean_at(sample, k) * mean_at(sample, l);
}

double distance(const Matrix& rows, int64_t i, int64_t j) {
  double sum = 0;
  for (int64_t k = 0; k < rows.columns(); ++k) {
    const double difference = double{rows.row(i)[k]} - double{rows.row(j)[k]};
    sum += difference * difference;
  }
  return std::sqrt(sum);
}

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

TEST_CASE("mean and covariance are those of their definition, for any number of threads") {
  constexpr int64_t kRows = 1200, kColumns = 70;  // more than a block, and than a panel
  Random random(2);
  Matrix rows(kRows, kColumns);
  std::vector<double> p(kRows);
  double total = 0;
  for (int64_t i = 0; i < kRows; ++i) {
    for (int64_t k = 0; k < kColumns; ++k) rows.row(i)[k] = 3 + random.uniform();
    total += p[static_cast<size_t>(i)] = static_cast<double>(random.uniform());
  }
  for (double& share : p) share /= total;
  const std::vector<double> mean = mean_of(rows, p);
  Square c = covariance(rows, mean, p, 1);
  for (const auto& [k, l] : {std::pair<int64_t, int64_t>{0, 0}, {69, 3}, {65, 65}, {12, 11}}) {
    double product = 0, first = 0, second = 0;
    for (int64_t i = 0; i < kRows; ++i) {
      const double share = p[static_cast<size_t>(i)], a = double{rows.row(i)[k]},
                   b = double{rows.row(i)[l]};
      product += share * a * b;
      first += share * a;
      second += share * b;
    }
    CHECK(mean[static_cast<size_t>(k)] == doctest::Approx(first));
    CHECK(std::abs(c.at(k, l) - (product - first * second)) < 1e-5);
  }
  CHECK(covariance(rows, mean, p, 3).numbers == c.numbers);
  Matrix fifth(1, kColumns), mapped(kRows, 1);
  fifth.row(0)[5] = 1;
  for (const int threads : {1, 3}) {
    map_centred(rows, mean, fifth, threads, mapped);
    for (const int64_t i : {7, 1100}) {
      CHECK(mapped.row(i)[0] == static_cast<float>(double{rows.row(i)[5]} - mean[5]));
    }
  }
}

TEST_CASE("whitened rows have mean 0 and covariance I by their frequencies") {
  for_each_instruction_set([] {
    for (const int64_t columns : {1, 2, 70, 133}) {
      Sample sample(1500, columns);
      REQUIRE(whiten(sample.p, 2, sample.rows));
      double worst = 0;
      for (int64_t k = 0; k < columns; ++k) {
        worst = std::max(worst, std::abs(mean_at(sample, k)));
        for (int64_t l = 0; l <= k; ++l) {
          worst = std::max(worst, std::abs(covariance_at(sample, k, l) - (k == l ? 1 : 0)));
        }
      }
      CHECK(worst < 0.01);
    }
  });
}

TEST_CASE("whitening makes lengths those of Mahalanobis, whatever the scale") {
  // Two columns, whose covariance is inverted by hand.
  for (const float scale : {1e-15F, 1.0F, 1e15F}) {
    Sample sample(50, 2);
    for (int64_t i = 0; i < 50; ++i) {
      for (int64_t k = 0; k < 2; ++k) sample.rows.row(i)[k] *= scale;
    }
    const double a = covariance_at(sample, 0, 0), b = covariance_at(sample, 0, 1),
                 d = covariance_at(sample, 1, 1);
    const double x = double{sample.rows.row(3)[0]} - double{sample.rows.row(9)[0]};
    const double y = double{sample.rows.row(3)[1]} - double{sample.rows.row(9)[1]};
    const double expected = std::sqrt((d * x * x - 2 * b * x * y + a * y * y) / (a * d - b * b));
    REQUIRE(whiten(sample.p, 1, sample.rows));
    CHECK(distance(sample.rows, 3, 9) == doctest::Approx(expected).epsilon(0.001));
  }
}

TEST_CASE("the number of threads does not change whitened rows, and padding stays zero") {
  Sample one(1300, 150), three(1300, 150);
  REQUIRE(whiten(one.p, 1, one.rows));
  REQUIRE(whiten(three.p, 3, three.rows));
  bool same = true;
  for (int64_t i = 0; i < 1300; ++i) {
    for (int64_t k = 0; k < one.rows.stride(); ++k) {
      same = same && one.rows.row(i)[k] == three.rows.row(i)[k];
      if (k >= 150) same = same && one.rows.row(i)[k] == 0;
    }
  }
  CHECK(same);
}

TEST_CASE("fewer rows than columns become finite rows, and equal ones are refused") {
  Sample few(3, 40);
  few.p = {0.5, 0.5, 0};  // the third has directions that the others do not have
  REQUIRE(whiten(few.p, 2, few.rows));
  CHECK(few.rows.finite());
  CHECK(distance(few.rows, 0, 1) == doctest::Approx(2).epsilon(0.01));  // ±1 in one direction

  Matrix equal(5, 20);
  for (int64_t i = 0; i < 5; ++i) {
    for (int64_t k = 0; k < 20; ++k) equal.row(i)[k] = 0.1F;
  }
  equal.row(4)[2] = 3;
  CHECK_FALSE(whiten({0.3, 0.3, 0.2, 0.2, 0}, 1, equal));
  CHECK(equal.row(0)[0] == 0.1F);
  Matrix alone(1, 3);
  CHECK_FALSE(whiten({1}, 1, alone));
}

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
