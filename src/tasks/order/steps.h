// A step: true pairs into order, false ones out of it.
#pragma once

#include <cstdint>
#include <vector>

#include "math/matrix.h"
#include "optim/batch_rows.h"
#include "tasks/order/geometry.h"
#include "tasks/order/hierarchy.h"
#include "train/sums.h"

namespace acevec {

// Losses of the pairs of a step.
struct OrderLoss {
  Mean positive, noise, adversarial;
};

// One thread's steps. Order embeddings stay non-negative; they take steps of the optimizer. Cones
// stay in the ball; theirs are plain Riemannian steps.
class OrderSteps {
 public:
  // `moments` belongs to `vectors`: see Optimizer. At most `most_pairs` pairs in a step.
  OrderSteps(Matrix& vectors, Matrix& moments, const OptimizerSettings& optimizer, float margin,
             int64_t most_pairs, Geometry geometry = Geometry::kOrder);

  // Step `number`, from 1 over all threads, down Eq. 11 for these pairs.
  OrderLoss step(int64_t number, float rate, const std::vector<OrderPair>& positives,
                 const std::vector<OrderPair>& noise, const std::vector<OrderPair>& adversarial);

 private:
  Mean add_pairs(const std::vector<OrderPair>& pairs, bool positive);
  void move_order(int64_t number, float rate);
  void move_cones(float rate);

  BatchRows rows_;
  float margin_;
  Geometry geometry_;
};

}  // namespace acevec
