// Tests of noise/max_entropy: the conditions of optimality, on counts of every kind; the problem is
// convex, so that they prove the solution.

#include "noise/max_entropy.h"

#include <doctest/doctest.h>

#include "cases.h"

namespace acevec {
namespace {

const std::vector<Precision> kPrecisions{Precision::kIsotropic, Precision::kRelative};

// log p + λ w (p − d) − ν is zero: to 1e-9 of the absolute sum of its terms, beside the rounding of
// p and d in the difference.
void check_optimal(const CountClasses& classes, const Budget& budget) {
  CAPTURE(budget.fraction);
  CAPTURE(static_cast<int>(budget.precision));
  const ClassNoise noise = solve_max_entropy(classes, budget);
  check_feasible(classes, budget, noise);
  const std::vector<double> weights = class_weights(classes, budget.precision);
  const auto [lambda, nu] = *noise.multipliers;
  double worst = 0;
  for (size_t i = 0; i < classes.size(); ++i) {
    const double p = noise.probabilities[i];
    const double d = classes.unigram[i];
    const double pull = lambda * weights[i] / classes.sizes[i];
    const double scale = std::abs(std::log(p)) + pull * std::abs(p - d) + std::abs(nu);
    const double residual = std::abs(std::log(p) + pull * (p - d) - nu);
    worst = std::max(worst, residual / (1e-9 * scale + 64 * kEpsilon * pull * (p + d)));
  }
  CHECK(worst < 1);
}

}  // namespace

TEST_CASE("the largest entropy is optimal for random counts") {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    const CountClasses classes = count_classes(random_counts(seed));
    if (classes.size() == 1) continue;
    for (const Precision precision : kPrecisions) {
      for (const double fraction : kFractions) check_optimal(classes, {fraction, precision});
    }
  }
}

TEST_CASE("the largest entropy is optimal for a million words") {
  for (const bool ties : {true, false}) {
    const CountClasses classes = count_classes(million_counts(ties));
    for (const Precision precision : kPrecisions) check_optimal(classes, {0.5, precision});
  }
}

TEST_CASE("the largest entropy of two words, by hand") {
  // As near to one half as the budget allows.
  const CountClasses classes = count_classes({3, 1});
  for (const Precision precision : kPrecisions) {
    const ClassNoise noise = solve_max_entropy(classes, {0.36, precision});
    CHECK(noise.probabilities[0] == doctest::Approx(0.75 - 0.6 * 0.25).epsilon(1e-10));
    CHECK(noise.probabilities[1] == doctest::Approx(0.25 + 0.6 * 0.25).epsilon(1e-10));
  }
}

TEST_CASE("the largest entropy with budget 0 is unigram, with budget 1 uniform") {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const CountClasses classes = count_classes(random_counts(seed));
    for (const Precision precision : kPrecisions) {
      for (const double nothing : {0.0, 1e-300, 1e-25}) {
        CHECK(solve_max_entropy(classes, {nothing, precision}).probabilities == classes.unigram);
      }
      for (const double p : solve_max_entropy(classes, {1, precision}).probabilities) {
        CHECK(p == doctest::Approx(1 / classes.words).epsilon(1e-12));
      }
    }
  }
}

TEST_CASE("the largest entropy grows with the budget") {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    const CountClasses classes = count_classes(random_counts(seed));
    for (const Precision precision : kPrecisions) {
      double before = entropy(classes, classes.unigram);
      for (const double fraction :
           {1e-6, 0.001, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.9999, 1.0}) {
        CAPTURE(fraction);
        const double now =
            entropy(classes, solve_max_entropy(classes, {fraction, precision}).probabilities);
        CHECK(now >= before - 1e-12 * std::abs(before));
        before = now;
      }
      CHECK(before == doctest::Approx(std::log(classes.words)));
    }
  }
}

}  // namespace acevec
