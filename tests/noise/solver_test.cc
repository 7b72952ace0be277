// Tests of noise/solver: classes, roots, and the conditions of optimality on counts of every kind.
// The problems are convex, so that these prove the solution.

#include "noise/noise.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "cases.h"

namespace acevec {

TEST_CASE("words with equal counts share a class, the most frequent class first") {
  const CountClasses classes = count_classes({2, 7, 2, 1, 7, 2});
  CHECK(classes.sizes == std::vector<double>{2, 3, 1});
  CHECK(classes.unigram == std::vector<double>{7.0 / 21, 2.0 / 21, 1.0 / 21});
  CHECK(classes.of_word == std::vector<int32_t>{1, 0, 1, 2, 0, 1});
  CHECK(classes.words == 6);
}

TEST_CASE("sorted counts give the classes that unsorted ones give") {
  const CountClasses classes = count_classes({7, 7, 2, 2, 2, 1});
  CHECK(classes.sizes == std::vector<double>{2, 3, 1});
  CHECK(classes.of_word == std::vector<int32_t>{0, 0, 1, 1, 1, 2});
}

TEST_CASE("one word is one class") {
  const CountClasses classes = count_classes({int64_t{1} << 62});
  CHECK(classes.sizes == std::vector<double>{1});
  CHECK(classes.unigram == std::vector<double>{1});
}

}  // namespace acevec

namespace acevec {

TEST_CASE("distances are of the whole vocabulary, and a budget of nothing leaves no choice") {
  const CountClasses classes = count_classes({6, 1, 1, 2});
  const std::vector<double> uniform = uniform_noise(classes);
  CHECK(uniform == std::vector<double>(3, 0.25));
  const double isotropic =
      distance(classes, class_weights(classes, Precision::kIsotropic), uniform);
  CHECK(isotropic == doctest::Approx(std::sqrt(0.35 * 0.35 + 2 * 0.15 * 0.15 + 0.05 * 0.05)));
  const double relative = distance(classes, class_weights(classes, Precision::kRelative), uniform);
  CHECK(relative ==
        doctest::Approx(std::sqrt(0.35 * 0.35 / 0.6 + 2 * 0.15 * 0.15 / 0.1 + 0.05 * 0.05 / 0.2)));
  CHECK_FALSE(solve_qcem(classes, {0, Precision::kIsotropic}).multipliers);
  CHECK(solve_qcem(classes, {0.01, Precision::kIsotropic}).multipliers);
  CHECK_FALSE(solve_qcem(count_classes({5, 5}), {1, Precision::kRelative}).multipliers);
}

}  // namespace acevec

namespace acevec {
namespace {

struct Found {
  double at;
  double last;  // where the last evaluation was
  int evaluations;
};

template <class Function>
Found find(Function function, double low, double high, double guess, double slope) {
  Found found{0, 0, 0};
  found.at = increasing_root(
      [&](double x) {
        ++found.evaluations;
        found.last = x;
        REQUIRE(x >= low);
        REQUIRE(x <= high);
        return function(x);
      },
      low, high, guess, slope, 1e-13);
  return found;
}

}  // namespace

TEST_CASE("a straight function takes two evaluations, or three when its slope is unknown") {
  CHECK(find([](double x) { return 2 * x - 3; }, -100, 100, 50, 2).evaluations == 2);
  const Found found = find([](double x) { return 2 * x - 3; }, -100, 100, 50, 1);
  CHECK(found.at == doctest::Approx(1.5));
  CHECK(found.evaluations <= 4);
}

TEST_CASE("curved, flat and infinite functions too, in a bounded number of evaluations") {
  const double infinity = std::numeric_limits<double>::infinity();
  const auto check = [&](auto function, double root, double precision = 1e-12) {
    for (const double guess : {-400.0, -3.0, 0.1, 2.0, 450.0}) {
      const Found found = find(function, -500, 500, guess, 0.75);
      CAPTURE(guess);
      CHECK(found.at == doctest::Approx(root).epsilon(precision));
      CHECK(found.at == found.last);
      CHECK(found.evaluations < 150);
    }
  };
  check([](double x) { return std::cbrt(x - 1); }, 1);
  check([](double x) { return std::exp(x) - 2; }, std::log(2));
  check([](double x) { return std::atan(x - 7); }, 7);
  check([](double x) { return (x - 3) * (x - 3) * (x - 3); }, 3, 1e-4);
  check([&](double x) { return x > 20 ? infinity : x < -20 ? -infinity : x + 4; }, -4);
}

TEST_CASE("a step has its root where it jumps") {
  const Found found = find([](double x) { return x < 1.0 / 3 ? -1.0 : 1.0; }, -500, 500, 9, 0.75);
  CHECK(found.at == doctest::Approx(1.0 / 3).epsilon(1e-12));
}

TEST_CASE("a root outside the interval gives the end towards it") {
  CHECK(find([](double x) { return x - 9; }, 0, 5, 1, 0.5).at == doctest::Approx(5));
  CHECK(find([](double x) { return x + 9; }, 0, 5, 1, 0.5).at == doctest::Approx(0));
}

}  // namespace acevec

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
  check_random_counts(check_optimal);
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
  check_random_counts(check_optimal);
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
