// Tests of noise/qcem: the conditions of optimality, on counts of every kind; the problem is
// convex, so that they prove the solution.

#include "noise/qcem.h"

#include <doctest/doctest.h>

#include "cases.h"

namespace acevec::qcem_test {
namespace {

// (Lp)_i + λ m w (p − d) − ν m is zero: to 1e-9 of the absolute sum of its four differences, beside
// the rounding of p and d in them.
void check_stationary(const CountClasses& classes, const Budget& budget, const Noise& noise) {
  const std::vector<double>& p = noise.probabilities;
  const std::vector<double> weights = class_weights(classes, budget.precision);
  const auto [lambda, nu] = *noise.multipliers;
  double worst = 0;
  for (size_t i = 0; i < p.size(); ++i) {
    const double above = i > 0 ? p[i] - p[i - 1] : 0;
    const double below = i + 1 < p.size() ? p[i] - p[i + 1] : 0;
    const double data = lambda * weights[i] * (p[i] - classes.unigram[i]);
    const double sum = nu * classes.sizes[i];
    const double scale = std::abs(above) + std::abs(below) + std::abs(data) + std::abs(sum);
    const double rounded = lambda * weights[i] * (p[i] + classes.unigram[i]) + 4 * p[i] +
                           std::abs(above) + std::abs(below);
    const double residual = std::abs(above + below + data - sum);
    worst = std::max(worst, residual / (1e-9 * scale + 64 * kEpsilon * rounded));
  }
  CHECK(worst < 1);
}

void check_optimal(const CountClasses& classes, const Budget& budget) {
  CAPTURE(budget.fraction);
  CAPTURE(static_cast<int>(budget.precision));
  const Noise noise = solve_qcem(classes, budget);
  check_feasible(classes, budget, noise);
  check_stationary(classes, budget, noise);
}

}  // namespace

TEST_CASE("qcem is optimal for random counts") {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    const CountClasses classes = count_classes(random_counts(seed));
    if (classes.size() == 1) continue;
    for (const Precision precision : kPrecisions) {
      for (const double fraction : kFractions) check_optimal(classes, {fraction, precision});
    }
  }
}

TEST_CASE("qcem is optimal for a million words") {
  for (const bool ties : {true, false}) {
    const CountClasses classes = count_classes(million_counts(ties));
    REQUIRE(classes.size() > (ties ? 16000 : 999999));
    for (const Precision precision : kPrecisions) {
      check_optimal(classes, {0.5, precision});
      check_optimal(classes, {0.99, precision});
    }
  }
}

TEST_CASE("qcem of two words, by hand") {
  check_two_words(solve_qcem);
}

TEST_CASE("qcem with budget 0 is unigram, with budget 1 uniform") {
  check_no_budget_is_unigram(solve_qcem);
  check_whole_budget_is_uniform(solve_qcem);
}

TEST_CASE("qcem keeps the order of the counts, and its entropy grows with the budget") {
  check_growth(solve_qcem);
}

}  // namespace acevec::qcem_test
