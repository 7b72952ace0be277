// The mixture of random and adversarial negatives, for every instruction set that this machine has:
// against its definition in double, and for what it keeps.

#include "ace/mixture.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>
#include "base/random.h"
#include "instruction_sets.h"

namespace acevec {
namespace {

struct Row {
  std::vector<float> g, t, weights;
};

// Probabilities of which some are 0, and weights of one sign.
Row random_row(size_t n, float sign, Random& random) {
  Row row;
  float sum = 0;
  for (size_t k = 0; k < n; ++k) {
    row.g.push_back(k % 3 == 2 ? 0.0F : random.uniform());
    sum += row.g.back();
    row.t.push_back(2 * random.uniform() - 1);
    row.weights.push_back(sign * (0.1F + random.uniform()));
  }
  for (float& p : row.g) p /= sum;
  return row;
}

double sum_of(const std::vector<float>& weights, const std::vector<float>& t, int power) {
  double sum = 0;
  for (size_t k = 0; k < t.size(); ++k) sum += double{weights[k]} * std::pow(double{t[k]}, power);
  return sum;
}

void mix(const Row& row, float a, float force, std::vector<float>& weights) {
  weights = row.weights;
  mix_candidates(row.g.data(), row.t.data(), static_cast<int64_t>(row.g.size()), a, force,
                 weights.data());
}

}  // namespace

TEST_CASE("without a force the mixture is (1 - a) p + a g") {
  for_each_instruction_set([] {
    Random random(1);
    for (const size_t n : {1, 2, 7, 16, 33, 100}) {
      const Row row = random_row(n, -1, random);
      std::vector<float> mixed;
      mix(row, 0.6F, 0, mixed);
      for (size_t k = 0; k < n; ++k) {
        const double factor = 0.4 + 0.6 * static_cast<double>(n) * double{row.g[k]};
        CHECK(double{mixed[k]} == doctest::Approx(double{row.weights[k]} * factor).epsilon(1e-5));
      }
    }
  });
}

TEST_CASE("both sums are kept, or scaled by the force, and ratios change along t only") {
  for_each_instruction_set([] {
    Random random(2);
    for (const size_t n : {3, 8, 16, 31, 32, 100}) {
      for (const float sign : {-1.0F, 1.0F}) {
        for (const float force : {1.0F, 1.5F}) {
          const Row row = random_row(n, sign, random);
          constexpr float kShare = 0.3F;
          std::vector<float> mixed;
          mix(row, kShare, force, mixed);
          const double scale = 1 + double{kShare} * (double{force} - 1);
          CHECK(sum_of(mixed, row.t, 0) ==
                doctest::Approx(scale * sum_of(row.weights, row.t, 0)).epsilon(1e-4));
          CHECK(std::abs(sum_of(mixed, row.t, 1) - scale * sum_of(row.weights, row.t, 1)) <
                1e-4 * static_cast<double>(n));
          // h is a line in t: any three points of it lie on one.
          const auto h = [&](size_t k) {
            return double{mixed[k]} / double{row.weights[k]} /
                   (0.7 + 0.3 * static_cast<double>(n) * double{row.g[k]});
          };
          const auto at = [&](size_t k) { return double{row.t[k]}; };
          CHECK(std::abs((h(1) - h(0)) * (at(2) - at(0)) - (h(2) - h(0)) * (at(1) - at(0))) < 1e-4);
        }
      }
    }
  });
}

TEST_CASE("weights keep their sign and stay finite, and without g they stay as they are") {
  for_each_instruction_set([] {
    Random random(3);
    for (int trial = 0; trial < 200; ++trial) {
      Row row = random_row(1 + random.below(40), -1, random);
      const size_t hardest = random.below(static_cast<uint32_t>(row.g.size()));
      for (size_t k = 0; k < row.g.size(); ++k) row.g[k] = k == hardest ? 1.0F : 0.0F;
      for (float& t : row.t) t *= 100;
      std::vector<float> mixed;
      mix(row, 1, 1, mixed);
      for (const float weight : mixed) CHECK((std::isfinite(weight) && weight <= 0));
      for (float& p : row.g) p = 0;
      mix(row, 1, 1, mixed);
      CHECK(mixed == row.weights);
    }
    Row equal = random_row(16, -1, random);
    for (float& t : equal.t) t = 0.25F;  // along a direction in which all are alike
    std::vector<float> mixed;
    mix(equal, 0.6F, 1, mixed);
    CHECK(sum_of(mixed, equal.t, 0) ==
          doctest::Approx(sum_of(equal.weights, equal.t, 0)).epsilon(1e-4));
  });
}

}  // namespace acevec
