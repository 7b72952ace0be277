#include "ace/policy.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

namespace acevec {
namespace {

// Adds an estimate of the gradient of one condition with n candidates.
void add_draws(const PolicySettings& settings, const float* g, const float* rewards, int64_t n,
               Random& random, float* gradient) {
  const float baseline = baseline_of(settings, g, rewards, n);
  const int64_t own = draw_candidate(g, n, random);
  if (own >= 0) add_score_gradient(g, n, own, rewards[own] - baseline, gradient);
  if (settings.estimator != PolicySettings::Estimator::kOffPolicy) return;
  // The weight of candidate k, drawn from the noise with p_k = 1/N, is g_k / p_k.
  const auto k = static_cast<int64_t>(random.below(static_cast<uint32_t>(n)));
  const float importance = std::min(g[k] * static_cast<float>(n), kMaxImportanceWeight);
  add_score_gradient(g, n, k, importance * (rewards[k] - baseline), gradient);
}

// Sums in float, which suffices for few numbers, in 16 independent sums.
double sum_of(const float* values, int64_t count) {
  constexpr int64_t kSums = 16;
  float sums[kSums] = {};
  int64_t k = 0;
  for (; k + kSums <= count; k += kSums) {
    for (int64_t i = 0; i < kSums; ++i) sums[i] += values[k + i];
  }
  for (; k < count; ++k) sums[k % kSums] += values[k];
  return std::accumulate(sums, sums + kSums, 0.0);
}

// Draws an outcome for each place on the unit interval, in one pass over the n probabilities;
// places must be increasing, and so are the outcomes.
void draw_at(std::span<const double> places, const float* probabilities, int64_t n,
             int32_t* drawn) {
  constexpr int64_t kBlock = 256;  // outcomes that are skipped at once if no place is in them
  auto place = places.begin();
  double before = 0;
  for (int64_t begin = 0; begin < n && place != places.end(); begin += kBlock) {
    const int64_t end = std::min(begin + kBlock, n);
    const double after = before + sum_of(probabilities + begin, end - begin);
    double passed = before;
    for (int64_t k = begin; k < end && place != places.end() && *place < after; ++k) {
      // Rounding may make a block's sum exceed its terms; a place left goes to the next outcome.
      if (!(probabilities[k] > 0)) continue;
      passed += static_cast<double>(probabilities[k]);
      for (; place != places.end() && *place < passed; ++place) *drawn++ = static_cast<int32_t>(k);
    }
    before = after;
  }
  // Places left over by rounding get the last possible outcome, or −1 if there is none.
  int64_t last = n - 1;
  while (last >= 0 && !(probabilities[last] > 0)) --last;
  std::fill_n(drawn, places.end() - place, static_cast<int32_t>(last));
}

double unit_place(Random& random) {
  return static_cast<double>(random() >> 11) * 0x1p-53;
}

}  // namespace

float entropy_of_choices(double choices) {
  return choices > 1 ? static_cast<float>(std::log(choices)) : 0.0F;
}

PolicyReport policy_gradient(const PolicySettings& settings, const Choices& choices,
                             const float* logits, float* rewards, Random& random,
                             const PolicyStep& step) {
  const auto [observed, rows, candidates] = choices;
  const auto [probabilities, gradient] = step;
  const float floor = entropy_of_choices(settings.entropy_floor);
  std::vector<float> entropies(static_cast<size_t>(rows));
  if (observed != nullptr) penalise(observed, rows * candidates, settings.penalty, rewards);
  softmax_rows(logits, 1, {nullptr, rows, candidates}, probabilities, entropies.data());

  PolicyReport report{.conditions = static_cast<double>(rows)};
  report.reward = expected_reward_gradient(probabilities, rewards, rows, candidates, gradient);
  if (settings.estimator != PolicySettings::Estimator::kExact) {
    std::fill_n(gradient, rows * candidates, 0.0F);
    for (int64_t i = 0; i < rows; ++i) {
      const int64_t at = i * candidates;
      add_draws(settings, probabilities + at, rewards + at, candidates, random, gradient + at);
    }
  }
  add_entropy_floor_gradient(probabilities, entropies.data(), floor, rows, candidates, gradient);
  for (const float entropy : entropies) report.entropy += static_cast<double>(entropy);
  return report;
}

void penalise(const uint8_t* observed, int64_t count, float penalty, float* rewards) {
  for (int64_t i = 0; i < count; ++i) rewards[i] = observed[i] != 0 ? -penalty : rewards[i];
}

int64_t draw_candidate(const float* probabilities, int64_t n, Random& random) {
  const double place = unit_place(random);
  int32_t drawn = -1;
  draw_at({&place, 1}, probabilities, n, &drawn);
  return drawn;
}

void draw_outcomes(const float* probabilities, int64_t n, int64_t count, Random& random,
                   int32_t* drawn) {
  std::vector<double> places(static_cast<size_t>(count));
  for (double& place : places) place = unit_place(random);
  std::sort(places.begin(), places.end());
  draw_at(places, probabilities, n, drawn);
}

float baseline_of(const PolicySettings& settings, const float* probabilities, const float* rewards,
                  int64_t n) {
  if (settings.estimator == PolicySettings::Estimator::kReinforcePlain) return 0;
  return rewards[std::max_element(probabilities, probabilities + n) - probabilities];
}

void add_score_gradient(const float* probabilities, int64_t n, int64_t chosen, float weight,
                        float* gradient) {
  for (int64_t k = 0; k < n; ++k) gradient[k] -= weight * probabilities[k];
  gradient[chosen] += weight;
}

}  // namespace acevec
