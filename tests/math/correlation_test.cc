// Pearson's r and Spearman's ρ against values known by hand.

#include "math/correlation.h"

#include <doctest/doctest.h>

#include <cmath>

namespace acevec {

TEST_CASE("rank correlations are those worked out by hand") {
  CHECK(spearman({1, 2, 3}, {10, 20, 1000}) == doctest::Approx(1));
  CHECK(spearman({1, 2, 3}, {3, -2, -90}) == doctest::Approx(-1));
  // Ranks 1 2 3 4 5 and 2 1 4 3 5: 1 − 6 · 4 / (5 · 24)
  CHECK(spearman({1, 2, 3, 4, 5}, {2, 1, 4, 3, 5}) == doctest::Approx(0.8));
  // Ranks 1.5 1.5 3 4 and 1 2 3.5 3.5: products of centred ranks 4, squares 4.5 and 4.5
  CHECK(spearman({7, 7, 8, 9}, {1, 2, 3, 3}) == doctest::Approx(4.0 / 4.5));
}

TEST_CASE("correlations are those worked out by hand") {
  CHECK(pearson({1, 2, 3}, {10, 20, 30}) == doctest::Approx(1));
  CHECK(pearson({1, 2, 3}, {0.5, -2, -4.5}) == doctest::Approx(-1));
  // Centred −1 0 1 and −2 −1 3: products 5, squares 2 and 14
  CHECK(pearson({1, 2, 3}, {0, 1, 5}) == doctest::Approx(5 / std::sqrt(28)));
  CHECK(std::isnan(pearson({}, {})));
  CHECK(std::isnan(pearson({3}, {4})));
  CHECK(std::isnan(pearson({1, 2, 3}, {5, 5, 5})));
  CHECK(std::isnan(pearson({0.1, 0.1, 0.1}, {1, 2, 4})));  // whose rounded mean is not 0.1
}

TEST_CASE("an undefined rank correlation is NaN") {
  CHECK(std::isnan(spearman({}, {})));
  CHECK(std::isnan(spearman({1}, {2})));
  CHECK(std::isnan(spearman({1, 1, 1}, {1, 2, 3})));
  CHECK(std::isnan(spearman({1, 2, 3}, {5, 5, 5})));
}

}  // namespace acevec
