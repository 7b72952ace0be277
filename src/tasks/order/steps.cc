#include "tasks/order/steps.h"

#include <algorithm>

#include "base/parallel.h"
#include "kernels/hogwild.h"
#include "kernels/order_penalty.h"

namespace acevec {

OrderSteps::OrderSteps(Matrix& vectors, Matrix& moments, const OptimizerSettings& optimizer,
                       const OrderSettings& settings)
    : vectors_(vectors),
      settings_(settings),
      rows_({{vectors, moments}}, optimizer, 2 * settings.most_pairs(), settings.threads) {}

Sums OrderSteps::step(int64_t number, float rate, std::span<const OrderPair> positives,
                      std::span<const OrderPair> noise, std::span<const OrderPair> adversarial) {
  constexpr int64_t kPairsPerBlock = 128;  // pairs that a thread takes at once
  positives_ = std::ssize(positives);
  noise_ = std::ssize(noise);
  pairs_.clear();
  for (const auto& pairs : {positives, noise, adversarial}) {
    pairs_.insert(pairs_.end(), pairs.begin(), pairs.end());
  }
  scales_.resize(pairs_.size());
  slopes_.resize(pairs_.size());
  occurrences_.resize(2 * pairs_.size());
  Sums sums = sum_in_blocks(settings_.threads, std::ssize(pairs_), kPairsPerBlock,
                            [&](int64_t begin, int64_t end) { return compute_losses(begin, end); });
  (sums.loss = sums.means[0]) += sums.means[1];
  rows_.group(occurrences_.data(), std::ssize(occurrences_));
  const auto add_gradient = pair_functions(settings_.geometry).add_gradient;
  const auto add = [&](int64_t occurrence, float* gradient) {
    const auto i = static_cast<size_t>(occurrence / 2);
    const bool specific = occurrence % 2 == 0;
    add_gradient(vectors_.row(pairs_[i].specific), vectors_.row(pairs_[i].general), rows_.width(),
                 slopes_[i], scales_[i], specific ? gradient : nullptr,
                 specific ? nullptr : gradient);
  };
  const auto prefetch = [&](int64_t occurrence) {
    const OrderPair& pair = pairs_[static_cast<size_t>(occurrence / 2)];
    prefetch_rows(vectors_, occurrence % 2 == 0 ? &pair.general : &pair.specific, 1);
  };
  rows_.accumulate(add, prefetch);
  update_rows(number, rate);
  return sums;
}

Sums OrderSteps::compute_losses(int64_t begin, int64_t end) {
  constexpr int64_t kAhead = 6;
  const auto penalty_of = pair_functions(settings_.geometry).penalty;
  Sums sums{{}, std::vector<Mean>(3)};
  int64_t next = begin;
  for (int64_t i = begin; i < end; ++i) {
    for (; next < std::min(end, i + kAhead); ++next) {
      const OrderPair& ahead = pairs_[static_cast<size_t>(next)];
      if (ahead.specific < 0) continue;
      prefetch_rows(vectors_, &ahead.specific, 1);
      prefetch_rows(vectors_, &ahead.general, 1);
    }
    const auto at = static_cast<size_t>(i);
    const OrderPair& pair = pairs_[at];
    float loss = 0;
    if (pair.specific >= 0) {
      const bool positive = i < positives_;
      const float penalty = penalty_of(vectors_.row(pair.specific), vectors_.row(pair.general),
                                       rows_.width(), &slopes_[at]);
      loss = positive ? penalty : negative_loss(penalty, settings_.margin);
      sums.means[positive ? 0 : i < positives_ + noise_ ? 1 : 2] += {double{loss}, 1};
      scales_[at] = positive ? 1.0F : -1.0F;
    }
    occurrences_[2 * at] = loss > 0 ? pair.specific : -1;
    occurrences_[2 * at + 1] = loss > 0 ? pair.general : -1;
  }
  return sums;
}

void OrderSteps::update_rows(int64_t number, float rate) {
  if (settings_.geometry == Geometry::kOrder) {
    // Keeps coordinates from falling below 0.
    return rows_.step(number, rate, [&](const float* row, float* change) {
      for (int64_t k = 0; k < rows_.width(); ++k) change[k] = std::max(change[k], -row[k]);
    });
  }
  // At rate 1 the optimizer passes gradients on unchanged.
  rows_.step(number, 1, [&](const float* row, float* gradient) {
    to_cone_step(row, rows_.width(), rate, gradient);
  });
}

}  // namespace acevec
