// A step of order embeddings: true pairs into order, false ones out of it.
#pragma once

#include <cstdint>
#include <vector>

#include "math/matrix.h"
#include "optim/batch_rows.h"
#include "order/hierarchy.h"

namespace acevec {

// Losses of a step, and how many pairs they are of.
struct OrderLoss {
  double positive = 0, noise = 0, adversarial = 0;
  double positives = 0, noises = 0, adversarials = 0;
};

// Where training starts: a row for each concept, the positive half of a normal distribution; 0 for
// concepts that nothing is below in `train`.
Matrix initial_order_vectors(const std::vector<OrderPair>& train, int64_t concepts, int64_t size,
                             uint64_t seed);

// One thread's steps. Vectors stay non-negative.
class OrderSteps {
 public:
  // `moments` belongs to `vectors`: see Optimizer. At most `most_pairs` pairs in a step.
  OrderSteps(Matrix& vectors, Matrix& moments, const OptimizerSettings& optimizer, float margin,
             int64_t most_pairs);

  // Step `number`, from 1 over all threads, down Eq. 11 for these pairs.
  OrderLoss step(int64_t number, float rate, const std::vector<OrderPair>& positives,
                 const std::vector<OrderPair>& noise, const std::vector<OrderPair>& adversarial);

 private:
  double add_pairs(const std::vector<OrderPair>& pairs, bool positive);

  BatchRows rows_;
  float margin_;
};

}  // namespace acevec
