// Tests of noise/max_entropy: the conditions of optimality, on counts of every kind; the problem is
// convex, so that they prove the solution.

#include "noise/max_entropy.h"

#include <doctest/doctest.h>

#include "cases.h"

namespace acevec {
namespace {

// log p + λ w (p − d) − ν is zero: to 1e-9 of the absolute sum of its terms, beside the rounding of
// p and d in the difference.
void check_optimal(const CountClasses& classes, const Budget& budget) {
  CAPTURE(budget.fraction);
  CAPTURE(static_cast<int>(budget.precision));
  const Noise noise = solve_max_entropy(classes, budget);
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
  check_two_words(solve_max_entropy);
}

TEST_CASE("the largest entropy with budget 0 is unigram, with budget 1 uniform") {
  check_no_budget_is_unigram(solve_max_entropy);
  check_whole_budget_is_uniform(solve_max_entropy);
}

TEST_CASE("the largest entropy keeps the order of the counts and grows with the budget") {
  check_growth(solve_max_entropy);
}

}  // namespace acevec
