// Draws follow the distribution.

#include "math/alias.h"

#include <cmath>
#include <vector>

#include <doctest/doctest.h>

namespace acevec {
namespace {

// χ² of `draws` draws against `p`, in standard deviations above its mean.
double chi_square_excess(const std::vector<double>& p, int64_t draws) {
  const AliasTable table(p);
  Random random(7);
  std::vector<int64_t> seen(p.size(), 0);
  for (int64_t i = 0; i < draws; ++i) ++seen[static_cast<size_t>(table.draw(random))];
  double chi_square = 0;
  double freedom = -1;
  for (size_t i = 0; i < p.size(); ++i) {
    const double wanted = p[i] * static_cast<double>(draws);
    if (wanted == 0) {
      CHECK(seen[i] == 0);
      continue;
    }
    chi_square += std::pow(static_cast<double>(seen[i]) - wanted, 2) / wanted;
    freedom += 1;
  }
  return freedom > 0 ? (chi_square - freedom) / std::sqrt(2 * freedom) : 0.0;
}

}  // namespace

TEST_CASE("alias draws pass a chi-square test") {
  CHECK(std::abs(chi_square_excess({0.5, 0.25, 0.125, 0.125}, 1000000)) < 4);
  CHECK(std::abs(chi_square_excess({0.0, 0.999, 0.001}, 1000000)) < 4);
  std::vector<double> zipf;
  double sum = 0;
  for (int i = 1; i <= 1000; ++i) sum += zipf.emplace_back(1.0 / i);
  for (double& p : zipf) p /= sum;
  CHECK(std::abs(chi_square_excess(zipf, 5000000)) < 4);
}

TEST_CASE("one outcome is always drawn") {
  const AliasTable table({1.0});
  Random random(1);
  for (int i = 0; i < 1000; ++i) CHECK(table.draw(random) == 0);
}

}  // namespace acevec
