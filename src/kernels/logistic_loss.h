// Losses and gradients from the scores of many pairs at once.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace acevec {

// A score that means "no pair here": as a positive its loss and its gradient are exactly zero.
inline constexpr float kNoPair = std::numeric_limits<float>::infinity();

// log(1 + exp(x)) = −log σ(−x), for a float or a double.
template <class Number>
Number softplus(Number x) {
  return std::max(x, Number{0}) + std::log1p(std::exp(-std::abs(x)));
}

// Replaces scores of negatives by gradients. `scores` is rows × columns without gaps; a score s of
// row i becomes −step · weights[i] · σ(s). Returns the loss, Σ_i weights[i] Σ −log σ(−s).
extern double (*const logistic_loss_of_negatives)(float* scores, int64_t rows, int64_t columns,
                                                  const float* weights, float step);

// Replaces scores of positives by gradients: s with weight w becomes step · w · σ(−s), and kNoPair
// becomes 0. Returns the loss, Σ −w log σ(s). `weights` has `count` numbers; null: all are 1.
extern double (*const logistic_loss_of_positives)(float* scores, int64_t count,
                                                  const float* weights, float step);

}  // namespace acevec
