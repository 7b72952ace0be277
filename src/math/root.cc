#include "math/root.h"

#include <cmath>
#include <limits>

namespace acevec {

double increasing_root(const std::function<double(double)>& function, double low, double high,
                       double guess, double slope, double tolerance) {
  constexpr int kMost = 200;
  constexpr double kRounding = 4e-16;
  bool low_seen = false;  // evaluated, not only given
  bool high_seen = false;
  double at = guess;
  double value = function(at);
  double value_before = std::numeric_limits<double>::infinity();
  for (int evaluations = 1; evaluations < kMost && std::abs(value) > tolerance; ++evaluations) {
    (value < 0 ? low : high) = at;
    (value < 0 ? low_seen : high_seen) = true;
    // A secant that does not halve the value is too slow: further, to get the root between two
    // points seen, and then to their middle.
    const bool slow = std::abs(value) > std::abs(value_before) / 2;
    double next = at - (slow ? 2 : 1) * value / slope;
    if ((slow && low_seen && high_seen) || !(next > low && next < high)) {
      next = low + (high - low) / 2;
    }
    if (std::abs(next - at) <= kRounding * std::abs(at) || next <= low || next >= high) break;
    const double before = at;
    value_before = value;
    at = next;
    value = function(at);
    const double secant = (value - value_before) / (at - before);
    if (secant > 0 && std::isfinite(secant)) slope = secant;
  }
  return at;
}

}  // namespace acevec
