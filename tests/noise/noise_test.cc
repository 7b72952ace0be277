// Tests of noise/noise: distributions that sum to 1 and follow the counts as they should.

#include "noise/noise.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "noise/kinds.h"

namespace acevec {
namespace {

const std::vector<int64_t> kCounts{1000000, 81, 16, 16, 1};

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

std::vector<double> noise_of(NoiseKind kind, const std::vector<int64_t>& counts, double power) {
  return noise_distribution({.kind = kind, .power = power}, counts).probabilities;
}

}  // namespace

TEST_CASE("noise distributions sum to 1") {
  std::vector<int64_t> zipf;
  for (int64_t rank = 1; rank <= 100000; ++rank) zipf.push_back(10000000 / rank);
  const std::vector<int64_t> huge(3, std::numeric_limits<int64_t>::max() / 3);
  for (const auto& counts : {kCounts, zipf, huge, std::vector<int64_t>{1}}) {
    for (const NoiseKind kind : every_noise()) {
      CAPTURE(static_cast<int>(kind));
      const std::vector<double> noise = noise_of(kind, counts, 0.75);
      REQUIRE(noise.size() == counts.size());
      CHECK(sum(noise) == doctest::Approx(1).epsilon(1e-12));
      for (const double p : noise) REQUIRE(p > 0);
    }
    CHECK(sum(noise_of(NoiseKind::kPower, counts, 10)) == doctest::Approx(1));
  }
}

TEST_CASE("words keep their probabilities in any order, and those of equal counts are equal") {
  const std::vector<int64_t> shuffled{16, 1000000, 1, 81, 16};
  for (const NoiseKind kind : every_noise()) {
    CAPTURE(static_cast<int>(kind));
    const Noise noise = noise_distribution({.kind = kind}, shuffled);
    const std::vector<double> p = noise_of(kind, kCounts, 0.75);
    CHECK(noise.probabilities == std::vector<double>{p[2], p[0], p[4], p[1], p[3]});
    CHECK(p[2] == p[3]);
    CHECK(noise.multipliers.has_value() == usual_budget(kind).has_value());
    if (!noise.multipliers) continue;
    CHECK(noise.multipliers->budget > 0);
    CHECK(p[0] > p[1]);
    CHECK(p[1] > p[2]);
    CHECK(p[3] > p[4]);
  }
}

TEST_CASE("unigram noise is proportional to the counts") {
  const std::vector<double> noise = noise_of(NoiseKind::kUnigram, kCounts, 0.75);
  for (size_t i = 0; i < noise.size(); ++i) {
    CHECK(noise[i] == doctest::Approx(static_cast<double>(kCounts[i]) / 1000114).epsilon(1e-12));
  }
}

TEST_CASE("power noise is proportional to a power of the counts") {
  const std::vector<double> noise = noise_of(NoiseKind::kPower, kCounts, 0.75);
  CHECK(noise[1] / noise[4] == doctest::Approx(27));  // 81^0.75
  CHECK(noise[2] / noise[4] == doctest::Approx(8));   // 16^0.75
  CHECK(noise[0] / noise[4] == doctest::Approx(std::pow(10, 4.5)));
  CHECK(noise[2] == noise[3]);
}

TEST_CASE("uniform noise is the same for all words") {
  for (const double p : noise_of(NoiseKind::kUniform, kCounts, 0.75)) CHECK(p == 0.2);
}

TEST_CASE("powers 1 and 0 are unigram and uniform") {
  CHECK(noise_of(NoiseKind::kPower, kCounts, 1) == noise_of(NoiseKind::kUnigram, kCounts, 0.75));
  CHECK(noise_of(NoiseKind::kPower, kCounts, 0) == noise_of(NoiseKind::kUniform, kCounts, 0.75));
}

TEST_CASE("a budget that is not given is that of the noise") {
  for (const auto& [kind, usual] : {std::pair{NoiseKind::kQcem, 0.9},
                                    {NoiseKind::kQcemRelative, 0.03},
                                    {NoiseKind::kEntropy, 0.1},
                                    {NoiseKind::kEntropyIsotropic, 0.001}}) {
    const auto with = [&, kind = kind](std::optional<double> budget) {
      return noise_distribution({.kind = kind, .budget = budget}, {9, 5, 2, 1}).probabilities;
    };
    CHECK(with({}) == with(usual));
    CHECK(with({}) != with(usual / 2));
  }
}

TEST_CASE("a noise without code throws") {
  const NoiseSettings settings{.kind = static_cast<NoiseKind>(99)};
  CHECK_THROWS_AS(noise_distribution(settings, {2, 1}), std::logic_error);
}

}  // namespace acevec
