#include "tasks/order/steps.h"

#include <algorithm>

#include "kernels/order_penalty.h"
#include "tasks/order/cones.h"

namespace acevec {

OrderSteps::OrderSteps(Matrix& vectors, Matrix& moments, const OptimizerSettings& optimizer,
                       float margin, int64_t most_pairs, Geometry geometry)
    : rows_(vectors, moments, optimizer, 2 * most_pairs), margin_(margin), geometry_(geometry) {}

OrderLoss OrderSteps::step(int64_t number, float rate, const std::vector<OrderPair>& positives,
                           const std::vector<OrderPair>& noise,
                           const std::vector<OrderPair>& adversarial) {
  for (const auto* pairs : {&positives, &noise, &adversarial}) {
    for (const OrderPair& pair : *pairs) {
      rows_.place(pair.specific);
      rows_.place(pair.general);
    }
  }
  rows_.gather();
  const OrderLoss loss{add_pairs(positives, true), add_pairs(noise, false),
                       add_pairs(adversarial, false)};
  geometry_ == Geometry::kOrder ? move_order(number, rate) : move_cones(rate);
  return loss;
}

void OrderSteps::move_order(int64_t number, float rate) {
  // No coordinate falls below 0.
  rows_.step(number, rate, [&](const float* values, float* changes, int64_t rows) {
    for (int64_t k = 0; k < rows * rows_.width(); ++k) {
      changes[k] = std::max(changes[k], -values[k]);
    }
  });
}

void OrderSteps::move_cones(float rate) {
  for (int64_t i = 0; i < rows_.count(); ++i) {
    const int64_t place = i * rows_.width();
    to_cone_step(rows_.values() + place, rows_.width(), rate, rows_.changes() + place);
  }
  rows_.add();
}

// Adds the gradients of the pairs' losses and returns these.
Mean OrderSteps::add_pairs(const std::vector<OrderPair>& pairs, bool positive) {
  const PairFunctions functions = pair_functions(geometry_);
  Mean mean{0, static_cast<double>(pairs.size())};
  for (const OrderPair& pair : pairs) {
    const int64_t x = rows_.place(pair.specific);
    const int64_t y = rows_.place(pair.general);
    const float penalty = functions.penalty(rows_.values() + x, rows_.values() + y, rows_.width());
    const float loss = positive ? penalty : negative_loss(penalty, margin_);
    mean.sum += static_cast<double>(loss);
    if (!(loss > 0)) continue;
    functions.add_gradient(rows_.values() + x, rows_.values() + y, rows_.width(),
                           positive ? 1.0F : -1.0F, rows_.changes() + x, rows_.changes() + y);
  }
  return mean;
}

}  // namespace acevec
