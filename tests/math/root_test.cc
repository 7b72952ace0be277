// Tests of math/root.

#include "math/root.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

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
