// What the tests of the solved distributions share: counts of every kind, budgets, and the
// conditions that do not depend on what is optimised.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "base/random.h"
#include "noise/noise.h"

namespace acevec {

inline constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

// Counts drawn at random: few words or many, ties or none, small, close to each other or up to 2⁴⁰.
inline std::vector<int64_t> random_counts(uint64_t seed) {
  Random random(seed);
  const uint32_t kind = random.below(5);
  const uint32_t words = 1 + random.below(seed % 3 == 0 ? 3000 : 12);
  std::vector<int64_t> counts;
  for (uint32_t i = 0; i < words; ++i) {
    switch (kind) {
      case 0:  // ties
        counts.push_back(1 + random.below(4));
        break;
      case 1:  // any magnitude
        counts.push_back(int64_t{1} << random.below(41));
        break;
      case 2:  // any magnitude, no ties
        counts.push_back(static_cast<int64_t>(std::exp2(40 * double{random.uniform()})));
        break;
      case 3:  // nearly uniform
        counts.push_back((int64_t{1} << 40) - random.below(1000000));
        break;
      default:  // Zipf's law
        counts.push_back(1 + 5000000 / (1 + i));
        break;
    }
  }
  return counts;
}

// A million words of Zipf's law, 16663 classes, or all with counts of their own up to 2⁴⁰.
inline std::vector<int64_t> million_counts(bool ties) {
  std::vector<int64_t> counts;
  for (int64_t rank = 1; rank <= 1000000; ++rank) {
    counts.push_back(ties ? 1 + 70000000 / rank : (int64_t{1} << 40) / rank + 1000000 - rank);
  }
  return counts;
}

inline const std::vector<double> kFractions{1e-9, 1e-4, 0.1, 0.5, 0.9, 0.999, 1 - 1e-9};

inline const std::vector<Precision> kPrecisions{Precision::kIsotropic, Precision::kRelative};

// A solver: probabilities of the classes within a budget.
using Solve = std::function<Noise(const CountClasses&, const Budget&)>;

inline double entropy(const CountClasses& classes, const std::vector<double>& p) {
  double sum = 0;
  for (size_t i = 0; i < p.size(); ++i) sum -= classes.sizes[i] * p[i] * std::log(p[i]);
  return sum;
}

// Probabilities are positive and sum to 1; the distance is what the budget allows, to 1e-9 of it,
// or less and λ = 0. Where the data are nearly uniform, rounding of p by 1e-12 may be more than
// that.
inline void check_feasible(const CountClasses& classes, const Budget& budget, const Noise& noise) {
  const std::vector<double>& p = noise.probabilities;
  REQUIRE(p.size() == classes.size());
  double sum = 0;
  for (size_t i = 0; i < p.size(); ++i) {
    REQUIRE(p[i] > 0);
    sum += classes.sizes[i] * p[i];
  }
  CHECK(std::abs(sum - 1) < 1e-10);
  REQUIRE(noise.multipliers);
  REQUIRE(noise.multipliers->budget >= 0);
  const std::vector<double> weights = class_weights(classes, budget.precision);
  const double allowed =
      std::sqrt(budget.fraction) * distance(classes, weights, uniform_noise(classes));
  const double moved = distance(classes, weights, p);
  const std::vector<double> nothing(p.size(), 0.0);
  const double slack = 1e-9 * allowed + 1e-12 * distance(classes, weights, nothing);
  CHECK(moved <= allowed + slack);
  if (noise.multipliers->budget > 0) CHECK(moved >= allowed - slack);
}

// Of two words the nearer to one half the better, as far as the budget allows: (p − d)² = fraction
// · (1/2 − d)² for both.
inline void check_two_words(const Solve& solve) {
  const CountClasses classes = count_classes({3, 1});
  for (const Precision precision : kPrecisions) {
    const Noise noise = solve(classes, {0.36, precision});
    CHECK(noise.probabilities[0] == doctest::Approx(0.75 - 0.6 * 0.25).epsilon(1e-10));
    CHECK(noise.probabilities[1] == doctest::Approx(0.25 + 0.6 * 0.25).epsilon(1e-10));
  }
}

inline void check_no_budget_is_unigram(const Solve& solve) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const CountClasses classes = count_classes(random_counts(seed));
    for (const Precision precision : kPrecisions) {
      for (const double nothing : {0.0, 1e-300, 1e-25}) {
        CHECK(solve(classes, {nothing, precision}).probabilities == classes.unigram);
      }
    }
  }
}

inline void check_whole_budget_is_uniform(const Solve& solve) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const CountClasses classes = count_classes(random_counts(seed));
    for (const Precision precision : kPrecisions) {
      for (const double p : solve(classes, {1, precision}).probabilities) {
        CHECK(p == doctest::Approx(1 / classes.words).epsilon(1e-12));
      }
    }
  }
}

// More budget gives more entropy; words keep the order of their counts.
inline void check_growth(const Solve& solve) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    const CountClasses classes = count_classes(random_counts(seed));
    for (const Precision precision : kPrecisions) {
      double before = entropy(classes, classes.unigram);
      for (const double fraction :
           {1e-6, 0.001, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.9999, 1.0}) {
        CAPTURE(fraction);
        const std::vector<double> p = solve(classes, {fraction, precision}).probabilities;
        for (size_t i = 1; i < p.size(); ++i) CHECK(p[i] <= p[i - 1] * (1 + 64 * kEpsilon));
        const double now = entropy(classes, p);
        CHECK(now >= before - 1e-12 * std::abs(before));
        before = now;
      }
      CHECK(before == doctest::Approx(std::log(classes.words)));
    }
  }
}

// Calls check() with the classes of counts of every kind and each budget.
inline void check_random_counts(
    const std::function<void(const CountClasses&, const Budget&)>& check) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    const CountClasses classes = count_classes(random_counts(seed));
    if (classes.size() == 1) continue;
    for (const Precision precision : kPrecisions) {
      for (const double fraction : kFractions) check(classes, {fraction, precision});
    }
  }
}

}  // namespace acevec
