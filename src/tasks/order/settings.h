// Settings of training a hierarchy's vectors.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

#include "ace/policy.h"
#include "optim/optimizer.h"
#include "tasks/order/geometry.h"
#include "vectors/format.h"

namespace acevec {

struct OrderAdversarySettings {
  Sampler sampler = Sampler::kLearned;
  double negatives = 1;        // adversarial negatives for each true pair, on average
  int64_t conditions = 64;     // pairs that the generators process in a turn
  int64_t draws = 512;         // negatives drawn per condition
  double beta = 5;             // weight of −E in the logits; 0: no prior
  bool spare_possible = true;  // excludes negatives that the observed pairs allow
  PolicySettings policy{.entropy_floor = 100, .penalty = 1};
  OptimizerSettings optimizer{.rate = 0.01F, .weight_decay = 0.1F};
};

// Fewer pairs need smaller steps and more epochs (docs/experiments/order.md).
inline constexpr int64_t kFewToLearn = 100'000;

struct OrderSettings {
  Geometry geometry = Geometry::kOrder;
  bool nested = true;           // initial vectors are in order
  int64_t size = 50;            // dimension of the vectors
  float margin = 1;             // η
  int64_t batch = 1000;         // true pairs per step
  int64_t negatives = 1;        // false pairs per true one, one side replaced by any concept
  double specific_share = 0.8;  // share of false pairs whose specific side is replaced
  bool mask_noise = false;      // drops random negatives that are true
  int threads = 1;              // for steps
  uint64_t seed = 1;
  VectorFormat format = VectorFormat::kText;             // format of snapshots
  std::optional<OrderAdversarySettings> adversary = {};  // ACE

  // The most pairs, true and false, of a step.
  int64_t most_pairs() const {
    const double hard = adversary ? std::ceil(adversary->negatives) : 0;
    return batch * (1 + negatives + static_cast<int64_t>(hard));
  }
};

}  // namespace acevec
