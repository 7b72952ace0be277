#include "order/steps.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/random.h"
#include "order/penalty.h"

namespace acevec {
namespace {

// Of the coordinates' distribution at the start, in units of which half is cut off. A pair of
// concepts is then out of order by far more than the margin. From small vectors, which are nearly
// in order whichever way, training does not find out: a false pair in perfect order has no slope.
constexpr float kInitialScale = 0.5F;

}  // namespace

Matrix initial_order_vectors(const std::vector<OrderPair>& train, int64_t concepts, int64_t size,
                             uint64_t seed) {
  std::vector<char> is_general(static_cast<size_t>(concepts));
  for (const OrderPair& pair : train) is_general[static_cast<size_t>(pair.general)] = 1;
  Matrix vectors(concepts, size);
  Random random(seed, Stream::kOrderStart);
  for (int64_t i = 0; i < concepts; ++i) {
    // A leaf needs what its generals demand and no more; what it had besides nothing would take
    // away from it, and it could not be above a concept that it was not seen with.
    if (is_general[static_cast<size_t>(i)] == 0) continue;
    for (int64_t k = 0; k < size; ++k) {
      // Box and Muller's transform; 1 − u is never 0.
      const float radius = std::sqrt(-2 * std::log(1 - random.uniform()));
      const float angle = 2 * std::numbers::pi_v<float> * random.uniform();
      vectors.row(i)[k] = std::max(0.0F, kInitialScale * radius * std::cos(angle));
    }
  }
  return vectors;
}

OrderSteps::OrderSteps(Matrix& vectors, Matrix& moments, const OptimizerSettings& optimizer,
                       float margin, int64_t most_pairs)
    : rows_(vectors, moments, optimizer, 2 * most_pairs), margin_(margin) {}

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
  OrderLoss loss;
  loss.positive = add_pairs(positives, true);
  loss.noise = add_pairs(noise, false);
  loss.adversarial = add_pairs(adversarial, false);
  loss.positives = static_cast<double>(positives.size());
  loss.noises = static_cast<double>(noise.size());
  loss.adversarials = static_cast<double>(adversarial.size());
  rows_.optimize(number, rate);
  // No coordinate falls below 0.
  for (int64_t k = 0; k < rows_.count() * rows_.width(); ++k) {
    rows_.changes()[k] = std::max(rows_.changes()[k], -rows_.values()[k]);
  }
  rows_.add();
  return loss;
}

// Adds the gradients of the pairs' losses and returns their sum.
double OrderSteps::add_pairs(const std::vector<OrderPair>& pairs, bool positive) {
  double sum = 0;
  for (const OrderPair& pair : pairs) {
    const int64_t x = rows_.place(pair.specific);
    const int64_t y = rows_.place(pair.general);
    const float penalty = order_penalty(rows_.values() + x, rows_.values() + y, rows_.width());
    const float loss = positive ? positive_loss(penalty) : negative_loss(penalty, margin_);
    sum += static_cast<double>(loss);
    if (!(loss > 0)) continue;
    add_penalty_gradient(rows_.values() + x, rows_.values() + y, rows_.width(),
                         positive ? 1.0F : -1.0F, rows_.changes() + x, rows_.changes() + y);
  }
  return sum;
}

}  // namespace acevec
