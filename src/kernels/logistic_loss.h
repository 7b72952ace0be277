// From scores of pairs to losses and gradients, for many pairs at once.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace acevec {

// A score that stands for "no pair here": its loss and its gradient are exactly zero as a positive.
inline constexpr float kNoPair = std::numeric_limits<float>::infinity();

// log(1 + exp(x)) = −log σ(−x), of a float or a double.
template <class Number>
Number softplus(Number x) {
  return std::max(x, Number{0}) + std::log1p(std::exp(-std::abs(x)));
}

// Scores of negatives -> gradient and loss. `scores` is rows × columns without gaps; a score s of
// row i becomes −step · weights[i] · σ(s). Returns Σ_i weights[i] Σ −log σ(−s).
extern double (*const logistic_loss_of_negatives)(float* scores, int64_t rows, int64_t columns,
                                                  const float* weights, float step);

// Scores of positives -> gradient and loss: s of weight w becomes step · w · σ(−s), kNoPair becomes
// 0. Returns Σ −w log σ(s). `weights` has `count` numbers; null: all are 1.
extern double (*const logistic_loss_of_positives)(float* scores, int64_t count,
                                                  const float* weights, float step);

}  // namespace acevec
