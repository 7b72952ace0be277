// Tests of noise/qcem: the conditions of optimality, on counts of every kind; the problem is
// convex, so that they prove the solution.

#include "noise/qcem.h"

#include <doctest/doctest.h>

#include "cases.h"

namespace acevec {
namespace {

// (Lp)_i + λ m w (p − d) − ν m is zero: to 1e-9 of the absolute sum of its four differences, beside
// the rounding of p and d in them.
void check_stationary(const CountClasses& classes, const QcemSettings& settings,
                      const ClassNoise& noise) {
  const std::vector<double>& p = noise.probabilities;
  const std::vector<double> weights = class_weights(classes, settings.budget.precision);
  const auto [lambda, nu] = *noise.multipliers;
  double worst = 0;
  for (size_t i = 0; i < p.size(); ++i) {
    const bool last = i + 1 == p.size();
    const double above = i > 0 ? p[i] - p[i - 1] : 0;
    const double below = !last ? p[i] - p[i + 1] : settings.end == SmoothingEnd::kPaper ? p[i] : 0;
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

void check_optimal(const CountClasses& classes, const QcemSettings& settings) {
  CAPTURE(settings.budget.fraction);
  CAPTURE(static_cast<int>(settings.budget.precision));
  CAPTURE(static_cast<int>(settings.end));
  const ClassNoise noise = solve_qcem(classes, settings);
  check_feasible(classes, settings.budget, noise);
  check_stationary(classes, settings, noise);
}

const std::vector<SmoothingEnd> kEnds{SmoothingEnd::kNeumann, SmoothingEnd::kPaper};

Solve with(SmoothingEnd end) {
  return [end](const CountClasses& classes, const Budget& budget) {
    return solve_qcem(classes, {budget, end});
  };
}

template <class Check>
void for_each_setting(Check check) {
  for (const Precision precision : kPrecisions) {
    for (const SmoothingEnd end : kEnds) {
      for (const double fraction : kFractions) check(QcemSettings{{fraction, precision}, end});
    }
  }
}

}  // namespace

TEST_CASE("qcem is optimal for random counts") {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    const CountClasses classes = count_classes(random_counts(seed));
    if (classes.size() == 1) continue;
    for_each_setting([&](const QcemSettings& settings) { check_optimal(classes, settings); });
  }
}

TEST_CASE("qcem is optimal for a million words") {
  for (const bool ties : {true, false}) {
    const CountClasses classes = count_classes(million_counts(ties));
    REQUIRE(classes.size() > (ties ? 16000 : 999999));
    for (const Precision precision : kPrecisions) {
      for (const SmoothingEnd end : kEnds) {
        check_optimal(classes, {{0.5, precision}, end});
        check_optimal(classes, {{0.99, precision}, end});
      }
    }
  }
}

TEST_CASE("qcem of two words, by hand") {
  check_two_words(with(SmoothingEnd::kNeumann));
  const CountClasses classes = count_classes({3, 1});
  // (p₁ − p₂)² + p₂² is least for p = (3/5, 2/5), 3/5 of the way, which 0.36 of uniform's distance
  // pays for; more is not spent.
  for (const double fraction : {0.36, 0.5, 1.0}) {
    const ClassNoise noise =
        solve_qcem(classes, {{fraction, Precision::kIsotropic}, SmoothingEnd::kPaper});
    CHECK(noise.probabilities[0] == doctest::Approx(0.6).epsilon(1e-10));
    CHECK(noise.probabilities[1] == doctest::Approx(0.4).epsilon(1e-10));
  }
}

TEST_CASE("qcem with budget 0 is unigram, with budget 1 uniform") {
  for (const SmoothingEnd end : kEnds) check_no_budget_is_unigram(with(end));
  check_whole_budget_is_uniform(with(SmoothingEnd::kNeumann));
}

TEST_CASE("qcem keeps the order of the counts, and its entropy grows with the budget") {
  check_growth(with(SmoothingEnd::kNeumann));
}

}  // namespace acevec
