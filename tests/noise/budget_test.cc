// The multiplier of a budget, where it is known.

#include "noise/budget.h"

#include <doctest/doctest.h>

#include <cmath>

namespace acevec {

TEST_CASE("the multiplier is where the distance is the one that is wanted") {
  double last = -1;
  const auto distance_at = [&](double multiplier) {
    last = multiplier;
    return 3 / (1 + multiplier);
  };
  for (const double wanted : {2.9, 1.0, 1e-3, 1e-9}) {
    CAPTURE(wanted);
    for (const double pull : {3.0, 1e-3, 1e5}) {  // a bad guess costs only time
      const double multiplier = budget_multiplier(distance_at, 3, wanted, pull);
      CHECK(multiplier == doctest::Approx(3 / wanted - 1).epsilon(1e-9));
      CHECK(last == multiplier);
    }
  }
}

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
  CHECK(leaves_no_choice(classes, {0, Precision::kIsotropic}));
  CHECK_FALSE(leaves_no_choice(classes, {0.01, Precision::kIsotropic}));
  CHECK(leaves_no_choice(count_classes({5, 5}), {1, Precision::kRelative}));
}

}  // namespace acevec
