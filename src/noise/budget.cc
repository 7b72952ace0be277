#include "noise/budget.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/root.h"

namespace acevec {

std::vector<double> class_weights(const CountClasses& classes, Precision precision) {
  std::vector<double> weights = classes.sizes;
  if (precision == Precision::kRelative) {
    for (size_t i = 0; i < weights.size(); ++i) weights[i] /= classes.unigram[i];
  }
  return weights;
}

double distance(const CountClasses& classes, const std::vector<double>& weights,
                const std::vector<double>& probabilities) {
  // Four sums, since one would wait for itself at each addition.
  std::array<double, 4> sums{};
  for (size_t i = 0; i < weights.size(); ++i) {
    const double deviation = probabilities[i] - classes.unigram[i];
    sums[i % 4] += weights[i] * deviation * deviation;
  }
  return std::sqrt((sums[0] + sums[1]) + (sums[2] + sums[3]));
}

bool leaves_no_choice(const CountClasses& classes, const Budget& budget) {
  return classes.size() == 1 || budget.fraction < 1e-24;
}

std::vector<double> uniform_noise(const CountClasses& classes) {
  return std::vector<double>(classes.size(), 1 / classes.words);
}

double budget_multiplier(const std::function<double(double)>& distance_at, double farthest,
                         double wanted, double pull) {
  // 1/distance − 1/farthest is in proportion to λ where λ is small and where it is large, and like
  // a power of it between, so that its logarithm over log λ is nearly straight everywhere.
  const auto beyond = [&](double there) { return std::max(1 / there - 1 / farthest, 0.0); };
  const double target = std::log(beyond(wanted));
  const auto excess = [&](double log_lambda) {
    return std::log(beyond(distance_at(std::exp(log_lambda)))) - target;
  };
  constexpr double kWidest = 500;  // e^±500: beyond all that counts in 64 bits can ask for
  const double tolerance = 1e-11 * farthest / (farthest - wanted);  // 1e-11 in log distance
  const double guess = std::clamp(std::log(pull) + target, -kWidest, kWidest);
  return std::exp(increasing_root(excess, -kWidest, kWidest, guess, 0.75, tolerance));
}

}  // namespace acevec
