// ‖u‖₁ and ‖u‖₂ of a difference u that is computed coordinate by coordinate, and their slopes.
#pragma once

#include <cmath>
#include <cstdint>

#include "kg/score.h"
#include "math/aligned.h"

namespace acevec {

// The sum over k < width, a multiple of kRowPadding, of part(k): many sums side by side, so that
// the compiler may use vectors.
template <class Part>
float sum_over(int64_t width, const Part& part) {
  float sums[kRowPadding] = {};
  for (int64_t k = 0; k < width; k += kRowPadding) {
    for (int64_t lane = 0; lane < kRowPadding; ++lane) sums[lane] += part(k + lane);
  }
  float sum = 0;
  for (const float lane : sums) sum += lane;
  return sum;
}

// ‖u‖ with u_k = difference(k).
template <class Difference>
float norm_of(Norm norm, int64_t width, const Difference& difference) {
  if (norm == Norm::kL1) {
    return sum_over(width, [&](int64_t k) { return std::fabs(difference(k)); });
  }
  return std::sqrt(sum_over(width, [&](int64_t k) { return difference(k) * difference(k); }));
}

// Gives ∂‖u‖/∂u_k to each(k, slope): 0 where it has no slope.
template <class Difference, class Each>
void for_slopes(Norm norm, int64_t width, const Difference& difference, const Each& each) {
  if (norm == Norm::kL1) {
    for (int64_t k = 0; k < width; ++k) {
      const float u = difference(k);
      each(k, static_cast<float>(u > 0) - static_cast<float>(u < 0));
    }
    return;
  }
  const float length = norm_of(norm, width, difference);
  const float scale = length > 0 ? 1 / length : 0;
  for (int64_t k = 0; k < width; ++k) each(k, scale * difference(k));
}

}  // namespace acevec
