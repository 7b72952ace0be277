#include "ace/full_softmax.h"

#include <algorithm>
#include <numeric>

#include "ace/policy.h"
#include "kernels/policy_kernels.h"

namespace acevec {

FullSoftmax::FullSoftmax(GeneratorParameters& parameters, int64_t most_rows)
    : generator_(parameters, most_rows, kBlock),
      all_(static_cast<size_t>(parameters.settings.outcomes)),
      g_(static_cast<size_t>(most_rows) * all_.size()),
      gradient_(g_.size()),
      entropies_(static_cast<size_t>(most_rows)) {
  std::iota(all_.begin(), all_.end(), 0);
}

int64_t FullSoftmax::bytes(const GeneratorSettings& settings, int64_t most_rows) {
  return Generator::bytes(settings, most_rows, kBlock) +
         (settings.outcomes * (2 * most_rows + 1) + most_rows) * kFloatSize;
}

void FullSoftmax::compute(const float* features, int64_t rows, const float* prior, float beta) {
  rows_ = rows;
  const float* const h = generator_.hidden(features, rows);
  generator_.logits(h, rows, {all_.data(), outcomes()}, prior, beta, g_.data());
  softmax_rows(g_.data(), 1, {nullptr, rows, outcomes()}, g_.data(), entropies_.data());
}

double FullSoftmax::leave_out(const uint8_t* observed) {
  return static_cast<double>(rows_) - leave_out_observed(observed, rows_, outcomes(), g_.data());
}

void FullSoftmax::learn(const PolicySettings& policy, const FullTurn& turn) {
  if (policy.estimator == PolicySettings::Estimator::kExact) {
    expected_reward_gradient(g_.data(), turn.rewards, rows_, outcomes(), gradient_.data());
  } else {
    for (int64_t i = 0; i < rows_; ++i) sum_draws(policy, turn, i);
  }
  add_entropy_floor_gradient(g_.data(), entropies_.data(), entropy_of_choices(policy.entropy_floor),
                             rows_, outcomes(), gradient_.data());
  generator_.learn(turn.features, gradient_.data());
}

// The row's gradient becomes Σ over draws of weight · (δ − g): the part with g once for all.
void FullSoftmax::sum_draws(const PolicySettings& policy, const FullTurn& turn, int64_t row) {
  const float* const g = probabilities(row);
  const float* const rewards = turn.rewards + row * outcomes();
  float* const gradient = gradient_.data() + row * outcomes();
  const float baseline = baseline_of(policy, g, rewards, outcomes());
  float sum = 0;
  const auto add = [&](int32_t y, float importance) {
    const float weight = importance * (rewards[y] - baseline) / static_cast<float>(turn.count);
    gradient[y] += weight;
    sum += weight;
  };
  std::fill_n(gradient, outcomes(), 0.0F);
  for (int64_t j = row * turn.count; j < (row + 1) * turn.count; ++j) {
    if (turn.drawn[j] >= 0) add(turn.drawn[j], 1);
  }
  if (policy.estimator == PolicySettings::Estimator::kOffPolicy) {
    for (int64_t j = row * turn.count; j < (row + 1) * turn.count; ++j) {
      const int32_t y = turn.noise[j];
      const float importance = g[y] / static_cast<float>(turn.noise_probabilities[y]);
      add(y, std::min(importance, kMaxImportanceWeight));
    }
  }
  for (int64_t y = 0; y < outcomes(); ++y) gradient[y] -= sum * g[y];
}

}  // namespace acevec
