// How the vectors of a hierarchy are trained.
#pragma once

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
  int64_t conditions = 64;     // pairs that the generators look at in a turn
  int64_t draws = 512;         // negatives drawn for each
  double beta = 5;             // weight of −E in the logits: 0 is no prior
  bool spare_possible = true;  // no negative that could be true for all that was observed
  PolicySettings policy{.entropy_floor = 100, .penalty = 1};
  OptimizerSettings optimizer{.rate = 0.01F, .weight_decay = 0.1F};
};

struct OrderSettings {
  Geometry geometry = Geometry::kOrder;
  bool nested = true;           // the vectors start in order
  int64_t size = 50;            // numbers in a vector
  float margin = 1;             // η
  int64_t batch = 1000;         // true pairs in a step
  int64_t negatives = 1;        // false pairs per true one, one side replaced by any concept
  double specific_share = 0.8;  // share of false pairs whose specific side is replaced
  bool mask_noise = false;      // leave out false pairs that are true
  int threads = 1;              // for steps
  uint64_t seed = 1;
  VectorFormat format = VectorFormat::kText;        // of snapshots
  std::optional<OrderAdversarySettings> adversary;  // ACE
};

}  // namespace acevec
