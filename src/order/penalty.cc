#include "order/penalty.h"

#include <algorithm>

namespace acevec {

float order_penalty(const float* x, const float* y, int64_t width) {
  constexpr int64_t kLanes = 16;  // sums side by side, so that the compiler may use vectors
  float sums[kLanes] = {};
  for (int64_t k = 0; k < width; k += kLanes) {
    for (int64_t lane = 0; lane < kLanes; ++lane) {
      const float over = std::max(0.0F, y[k + lane] - x[k + lane]);
      sums[lane] += over * over;
    }
  }
  float sum = 0;
  for (const float lane : sums) sum += lane;
  return sum;
}

void add_penalty_gradient(const float* x, const float* y, int64_t width, float scale,
                          float* x_gradient, float* y_gradient) {
  for (int64_t k = 0; k < width; ++k) {
    const float change = 2 * scale * std::max(0.0F, y[k] - x[k]);
    x_gradient[k] -= change;
    y_gradient[k] += change;
  }
}

}  // namespace acevec
