// A step: true pairs into order, false ones out of it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "math/matrix.h"
#include "optim/step_rows.h"
#include "tasks/order/geometry.h"
#include "tasks/order/hierarchy.h"
#include "train/task.h"

namespace acevec {

// Order embeddings stay non-negative; they take steps of Adam. Cones stay in the ball; theirs are
// plain Riemannian steps.
class OrderSteps {
 public:
  // `moments` belongs to `vectors`: see Optimizer. At most `most_pairs` pairs in a step.
  OrderSteps(Matrix& vectors, Matrix& moments, const OptimizerSettings& optimizer, float margin,
             int64_t most_pairs, Geometry geometry, int threads);

  // Step `number`, from 1, down Eq. 11 for these pairs. Of the false ones those of (−1, −1) are
  // none. The means are the losses of true, noise and adversarial pairs, the loss that of the first
  // two.
  Sums step(int64_t number, float rate, std::span<const OrderPair> positives,
            std::span<const OrderPair> noise, std::span<const OrderPair> adversarial);

 private:
  Sums look(int64_t begin, int64_t end);
  void move(int64_t number, float rate);

  const Matrix& vectors_;
  StepRows rows_;
  float margin_;
  Geometry geometry_;
  int threads_;
  int64_t positives_ = 0, noise_ = 0;  // pairs of the step at hand, which come first and then
  std::vector<OrderPair> pairs_;
  std::vector<float> scales_;  // slopes of the pairs' losses by their penalties: 1, −1 or 0
  std::vector<ConeSlopes> slopes_;
  std::vector<int32_t> occurrences_;  // the specific and the general side, or −1 without a slope
};

}  // namespace acevec
