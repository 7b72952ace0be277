// Tests of math/covariance: by its definition, for any number of threads.

#include "math/covariance.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "base/random.h"

namespace acevec {

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

}  // namespace acevec
