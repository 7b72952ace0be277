// The loss of triplets of an anchor, its positive and its negatives, and its gradient.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tasks/metric/negatives.h"

namespace acevec {

// max(0, margin + d⁺ − d⁻), d squared distances (Schroff et al. 2015).
inline float triplet_loss(float margin, float positive, float negative) {
  return std::max(0.0F, margin + positive - negative);
}

// Sums over anchors that have a negative, before the step.
struct TripletSums {
  TripletSums& operator+=(const TripletSums& more);

  double loss = 0;
  double anchors = 0;
  double positive = 0;  // d⁺, squared distances
  double negative = 0;  // the mean d⁻ of the anchor's negatives
  double active = 0;    // share of them with a loss above 0
};

// gradient = the gradient of the mean loss over the anchors with respect to the vectors, for
// `count` negatives of each anchor as NegativeChoice gives them. An anchor's loss is the mean of
// triplet_loss() over its negatives. `slopes`: room for rows × rows. A team of threads shares the
// work, and the result does not depend on their number, here and below.
TripletSums triplet_gradient(float margin, const BatchDistances& batch, const int32_t* negatives,
                             int64_t count, float* slopes, float* gradient, int threads = 1);

// squares[i · rows + j] = |e_i − e_j|².
void squared_distances(const float* vectors, int64_t rows, int64_t width, float* squares,
                       int threads = 1);

}  // namespace acevec
