// A training step: moves true pairs into order, and false ones out of it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "math/matrix.h"
#include "optim/step_rows.h"
#include "tasks/order/geometry.h"
#include "tasks/order/hierarchy.h"
#include "tasks/order/settings.h"
#include "train/task.h"

namespace acevec {

// Order embeddings stay non-negative, by Adam steps. Cones stay in the ball, by Riemannian steps.
class OrderSteps {
 public:
  // `moments` belongs to `vectors`: see Optimizer. All must outlive it.
  OrderSteps(Matrix& vectors, Matrix& moments, const OptimizerSettings& optimizer,
             const OrderSettings& settings);

  // Takes step `number` ≥ 1 down Eq. 11 for these pairs. Pairs (−1, −1) are ignored. The means are
  // the losses of true, noise and adversarial pairs; the loss is that of the first two.
  Sums step(int64_t number, float rate, std::span<const OrderPair> positives,
            std::span<const OrderPair> noise, std::span<const OrderPair> adversarial);

 private:
  Sums compute_losses(int64_t begin, int64_t end);
  void update_rows(int64_t number, float rate);

  const Matrix& vectors_;
  const OrderSettings& settings_;
  StepRows rows_;
  int64_t positives_ = 0, noise_ = 0;  // leading pairs of the step, and the next ones
  std::vector<OrderPair> pairs_;
  std::vector<float> scales_;  // derivatives of the losses by the penalties: 1 or −1
  std::vector<ConeSlopes> slopes_;
  std::vector<int32_t> occurrences_;  // specific and general side; −1: the gradient is 0
};

}  // namespace acevec
