#include "math/root.h"

#include <cmath>

namespace acevec {

double increasing_root(const std::function<double(double)>& function, double low, double high,
                       double guess, double slope, double tolerance) {
  constexpr int kMost = 200;
  constexpr double kRounding = 4e-16;
  double at = guess;
  double value = function(at);
  double width = high - low;  // of the bracket two evaluations ago, halved
  for (int evaluations = 1; evaluations < kMost && std::abs(value) > tolerance; ++evaluations) {
    (value < 0 ? low : high) = at;
    double next = at - value / slope;
    if (!(next > low && next < high)) next = low + (high - low) / 2;
    if (evaluations % 4 == 0) {  // secants that only ever move one end are too slow
      if (high - low > width) next = low + (high - low) / 2;
      width = (high - low) / 2;
    }
    if (std::abs(next - at) <= kRounding * std::abs(at) || next <= low || next >= high) break;
    const double before = at;
    const double value_before = value;
    at = next;
    value = function(at);
    const double secant = (value - value_before) / (at - before);
    if (secant > 0 && std::isfinite(secant)) slope = secant;
  }
  return at;
}

}  // namespace acevec
