#include "ace/full_policy.h"

#include <algorithm>
#include <vector>

namespace acevec {
namespace {

// The reward of what g likes best in row i, or 0.
float baseline_of(const PolicySettings& settings, const FullTurn& turn, const FullSoftmax& softmax,
                  int64_t i) {
  if (settings.baseline == PolicySettings::Baseline::kNone) return 0;
  const int64_t best = most_likely(softmax.probabilities(i), softmax.outcomes());
  return turn.rewards[i * softmax.outcomes() + best];
}

// The mean over the noise, Σ_y p w (r − b) ∇ log g with w = min(g/p, cut), has the form of the
// expectation over g itself, Σ_y g r' ∇ log g, with r' = (r − b) · p w/g: so it is a change of the
// rewards. p w/g is 1 where nothing is cut.
void add_off_policy_rewards(const PolicySettings& settings, const FullTurn& turn,
                            const FullSoftmax& softmax) {
  for (int64_t i = 0; i < turn.rows; ++i) {
    const float* const g = softmax.probabilities(i);
    float* const rewards = turn.rewards + i * softmax.outcomes();
    const float baseline = baseline_of(settings, turn, softmax, i);
    for (int64_t y = 0; y < softmax.outcomes(); ++y) {
      const float most = kMaxImportanceWeight * static_cast<float>(turn.noise_probabilities[y]);
      rewards[y] += (g[y] <= most ? 1 : most / g[y]) * (rewards[y] - baseline);
    }
  }
}

void learn_from_draws(const PolicySettings& settings, const FullTurn& turn, FullSoftmax& softmax) {
  // learn() takes the mean over all draws; wanted is the sum of the means of both kinds.
  const int64_t kinds = settings.off_policy ? 2 : 1;
  const auto scale = static_cast<float>(kinds);
  std::vector<int32_t> drawn;
  std::vector<float> weights;
  for (int64_t i = 0; i < turn.rows; ++i) {
    const float* const g = softmax.probabilities(i);
    const float* const rewards = turn.rewards + i * softmax.outcomes();
    const float baseline = baseline_of(settings, turn, softmax, i);
    for (int64_t j = i * turn.count; j < (i + 1) * turn.count; ++j) {
      const int32_t y = turn.drawn[j];
      drawn.push_back(y);
      weights.push_back(y < 0 ? 0 : scale * (rewards[y] - baseline));
    }
    for (int64_t j = i * turn.count; settings.off_policy && j < (i + 1) * turn.count; ++j) {
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
  if (settings.estimator == PolicySettings::Estimator::kReinforce) {
    learn_from_draws(settings, turn, softmax);
    return;
  }
  if (settings.off_policy) add_off_policy_rewards(settings, turn, softmax);
  softmax.learn_exactly(turn.features, turn.rewards, settings.entropy_floor);
}

}  // namespace acevec
