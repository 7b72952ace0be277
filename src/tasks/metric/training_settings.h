// How encoders of points are trained: the settings of a MetricTask.
#pragma once

#include <cstdint>

#include "tasks/metric/negatives.h"

namespace acevec {

struct MetricSettings {
  NegativeKind kind = NegativeKind::kLearned;
  int64_t negatives = 10;  // of an anchor
  float beta = 5;          // weight of −distance in the logits of kCritic and kLearned
  double lambda = 0.5;     // part of the negatives of kLearned that is drawn at random
  float margin = 0.5F;     // see triplet_loss()
  int64_t batch = 256;     // points in a step, each an anchor
  int64_t shift = 0;       // images are moved by up to so many pixels
  uint64_t seed = 1;
  int threads = 1;  // that share a step, and evaluations

  bool has_adversary() const { return kind == NegativeKind::kLearned; }
};

}  // namespace acevec
