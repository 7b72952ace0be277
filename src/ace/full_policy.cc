#include "ace/full_policy.h"

#include <algorithm>
#include <vector>

namespace acevec {
namespace {

void learn_from_draws(const PolicySettings& settings, const FullTurn& turn, FullSoftmax& softmax) {
  // learn() takes the mean over all draws; wanted is the sum of the means of both kinds.
  const bool off_policy = settings.estimator == PolicySettings::Estimator::kOffPolicy;
  const int64_t kinds = off_policy ? 2 : 1;
  const auto scale = static_cast<float>(kinds);
  std::vector<int32_t> drawn;
  std::vector<float> weights;
  for (int64_t i = 0; i < turn.rows; ++i) {
    const float* const g = softmax.probabilities(i);
    const float* const rewards = turn.rewards + i * softmax.outcomes();
    const float baseline = baseline_of(settings, g, rewards, softmax.outcomes());
    for (int64_t j = i * turn.count; j < (i + 1) * turn.count; ++j) {
      const int32_t y = turn.drawn[j];
      drawn.push_back(y);
      weights.push_back(y < 0 ? 0 : scale * (rewards[y] - baseline));
    }
    for (int64_t j = i * turn.count; off_policy && j < (i + 1) * turn.count; ++j) {
      const int32_t y = turn.noise[j];
      drawn.push_back(y);
      const float importance = g[y] / static_cast<float>(turn.noise_probabilities[y]);
      weights.push_back(scale * std::min(importance, kMaxImportanceWeight) *
                        (rewards[y] - baseline));
    }
  }
  softmax.learn(turn.features, drawn.data(), weights.data(), kinds * turn.count,
                settings.entropy_floor);
}

}  // namespace

void take_policy_step(const PolicySettings& settings, const FullTurn& turn, FullSoftmax& softmax) {
  if (settings.estimator != PolicySettings::Estimator::kExact)
    return learn_from_draws(settings, turn, softmax);
  softmax.learn_exactly(turn.features, turn.rewards, settings.entropy_floor);
}

}  // namespace acevec
