// The loss of triplets of an anchor, its positive and its negatives, and its gradient.
#pragma once

#include <cstdint>
#include <vector>

#include "tasks/metric/negatives.h"

namespace acevec {

struct MetricLoss {
  enum class Kind : uint8_t {
    kTriplet,  // the mean over an anchor's negatives of max(0, margin + d⁺ − d⁻)
    kRanking,  // log(1 + Σ exp(scale (d⁺ − d⁻))), the softmax of the positive among them
  };

  Kind kind = Kind::kTriplet;
  float margin = 0.5F;
  float scale = 5;

  // With one negative.
  float of(float positive, float negative) const;
};

// Sums over anchors that have a negative, before the step.
struct TripletSums {
  double loss = 0;
  double anchors = 0;
  double positive = 0;  // d⁺, squared distances
  double negative = 0;  // the mean d⁻ of the anchor's negatives
  double active = 0;    // share of them with a loss above 0
};

// gradient = the gradient of the mean loss over the anchors with respect to the vectors, for
// `count` negatives of each anchor as NegativeChoice gives them. `scratch`: of any size.
TripletSums triplet_gradient(const MetricLoss& loss, const BatchDistances& batch,
                             const int32_t* negatives, int64_t count, std::vector<float>& scratch,
                             float* gradient);

// squares[i · rows + j] = |e_i − e_j|².
void squared_distances(const float* vectors, int64_t rows, int64_t width, float* squares);

}  // namespace acevec
