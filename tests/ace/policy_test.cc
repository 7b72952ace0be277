// The policy's gradients against finite differences of the stated objective, and the estimators'
// means against the exact expectation.

#include "ace/policy.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>
#include "kernels/policy_kernels.h"

namespace acevec {
namespace {

using Estimator = PolicySettings::Estimator;

constexpr int64_t kRows = 4;
constexpr int64_t kCandidates = 9;
constexpr int64_t kSize = kRows * kCandidates;

// A policy's situation: the input of policy_gradient().
struct Situation {
  std::vector<float> logits, rewards;
  std::vector<uint8_t> observed;
};

Situation random_situation(uint64_t seed) {
  Random random(seed);
  Situation situation;
  for (int64_t i = 0; i < kSize; ++i) {
    situation.logits.push_back(3 * random.uniform());
    situation.rewards.push_back(2 * random.uniform());
    situation.observed.push_back(random.uniform() < 0.2F);
  }
  return situation;
}

struct Result {
  std::vector<float> probabilities = std::vector<float>(kSize);
  std::vector<float> gradient = std::vector<float>(kSize);
  PolicyReport value;
};

Result run(const PolicySettings& settings, Situation situation, Random& random) {
  Result result;
  result.value = policy_gradient(settings, {situation.observed.data(), kRows, kCandidates},
                                 situation.logits.data(), situation.rewards.data(), random,
                                 {result.probabilities.data(), result.gradient.data()});
  return result;
}

// J as the header states it, in double, from logits in double.
double objective(const PolicySettings& settings, const Situation& situation,
                 const std::vector<double>& logits) {
  double total = 0;
  for (size_t i = 0; i < kRows; ++i) {
    double sum = 0;
    for (size_t k = 0; k < kCandidates; ++k) sum += std::exp(logits[i * kCandidates + k]);
    double entropy = 0;
    for (size_t k = i * kCandidates; k < (i + 1) * kCandidates; ++k) {
      const double g = std::exp(logits[k]) / sum;
      entropy -= g * std::log(g);
      total += g * (situation.observed[k] != 0 ? -double{settings.penalty}
                                               : double{situation.rewards[k]});
    }
    if (settings.entropy_floor > 1)
      total -= std::max(0.0, std::log(settings.entropy_floor) - entropy);
  }
  return total;
}

// The mean of the gradient over many draws, and the standard error of each of its entries.
struct Mean {
  std::vector<double> gradient = std::vector<double>(kSize);
  std::vector<double> error = std::vector<double>(kSize);
};

Mean mean_gradient(const PolicySettings& settings, const Situation& situation) {
  constexpr int kDraws = 40000;
  Mean mean;
  Random random(17);
  std::vector<double> squares(kSize);
  for (int draw = 0; draw < kDraws; ++draw) {
    const Result result = run(settings, situation, random);
    for (size_t k = 0; k < kSize; ++k) {
      mean.gradient[k] += double{result.gradient[k]} / kDraws;
      squares[k] += double{result.gradient[k]} * double{result.gradient[k]} / kDraws;
    }
  }
  for (size_t k = 0; k < kSize; ++k) {
    const double variance = squares[k] - mean.gradient[k] * mean.gradient[k];
    mean.error[k] = std::sqrt(std::max(variance, 0.0) / kDraws);
  }
  return mean;
}

double total_variance(const Mean& mean) {
  double sum = 0;
  for (const double error : mean.error) sum += error * error;
  return sum;
}

}  // namespace

TEST_CASE("the exact gradient is that of the stated objective, by finite differences") {
  for (const double floor : {0.0, 1.0, 4.0, 7.0}) {
    CAPTURE(floor);
    PolicySettings settings;
    settings.entropy_floor = floor;
    const Situation situation = random_situation(1);
    Random unused(1);
    const Result result = run(settings, situation, unused);
    const std::vector<double> logits(situation.logits.begin(), situation.logits.end());
    constexpr double kStep = 1e-5;
    for (size_t k = 0; k < kSize; ++k) {
      std::vector<double> more = logits;
      std::vector<double> less = logits;
      more[k] += kStep;
      less[k] -= kStep;
      const double slope =
          (objective(settings, situation, more) - objective(settings, situation, less)) /
          (2 * kStep);
      CHECK(double{result.gradient[k]} == doctest::Approx(slope).epsilon(1e-4));
    }
  }
}

TEST_CASE("a floor that every row is above changes nothing, one that all are below does") {
  const Situation situation = random_situation(2);
  Random unused(1);
  PolicySettings settings;
  const std::vector<float> without = run(settings, situation, unused).gradient;
  settings.entropy_floor = 1.01;
  CHECK(run(settings, situation, unused).gradient == without);
  settings.entropy_floor = kCandidates;
  const std::vector<float> with = run(settings, situation, unused).gradient;
  for (size_t k = 0; k < kSize; ++k) CHECK(with[k] != without[k]);
}

TEST_CASE("the value is made of the reward and the entropy") {
  const Situation situation = random_situation(3);
  Random unused(1);
  const Result result = run({}, situation, unused);
  double reward = 0;
  double entropy = 0;
  for (size_t k = 0; k < kSize; ++k) {
    const double g = double{result.probabilities[k]};
    reward += g * (situation.observed[k] != 0 ? -5.0 : double{situation.rewards[k]});
    entropy -= g * std::log(g);
  }
  CHECK(result.value.reward == doctest::Approx(reward).epsilon(1e-5));
  CHECK(result.value.entropy == doctest::Approx(entropy).epsilon(1e-5));
}

TEST_CASE("REINFORCE's mean over all draws is the exact gradient, whatever the baseline") {
  Random random(4);
  std::vector<float> g(kCandidates);
  for (float& logit : g) logit = 3 * random.uniform();
  softmax_rows(g.data(), 1, {nullptr, 1, kCandidates}, g.data(), nullptr);
  std::vector<float> rewards(kCandidates);
  for (float& reward : rewards) reward = 2 * random.uniform();
  std::vector<float> exact(kCandidates);
  expected_reward_gradient(g.data(), rewards.data(), 1, kCandidates, exact.data());
  for (const float baseline : {0.0F, 1.5F, -20.0F}) {
    std::vector<double> mean(kCandidates);
    for (size_t chosen = 0; chosen < kCandidates; ++chosen) {
      std::vector<float> gradient(kCandidates);
      add_score_gradient(g.data(), kCandidates, static_cast<int64_t>(chosen),
                         rewards[chosen] - baseline, gradient.data());
      for (size_t k = 0; k < kCandidates; ++k) mean[k] += double{g[chosen]} * double{gradient[k]};
    }
    CAPTURE(baseline);
    for (size_t k = 0; k < kCandidates; ++k) {
      CHECK(std::abs(mean[k] - double{exact[k]}) < 5e-6);
    }
  }
}

TEST_CASE(
    "sampled gradients have the mean of the exact one, off policy twice that of the rewards") {
  const Situation situation = random_situation(5);
  PolicySettings settings;
  Random unused(1);
  const std::vector<float> of_rewards = run(settings, situation, unused).gradient;
  settings.entropy_floor = 6;
  const std::vector<float> exact = run(settings, situation, unused).gradient;
  for (const Estimator estimator :
       {Estimator::kReinforce, Estimator::kReinforcePlain, Estimator::kOffPolicy}) {
    settings.estimator = estimator;
    const Mean mean = mean_gradient(settings, situation);
    for (size_t k = 0; k < kSize; ++k) {
      const float more = estimator == Estimator::kOffPolicy ? of_rewards[k] : 0;
      CHECK(std::abs(mean.gradient[k] - double{exact[k] + more}) < 4.5 * mean.error[k] + 1e-5);
    }
  }
}

TEST_CASE("the weight of a candidate from the noise is cut") {
  // Two of 40 candidates have nearly all probability. The second's weight of about 16 counts as 10;
  // the first's reward is the baseline, 0.
  constexpr size_t kMany = 40;
  std::vector<float> logits(kMany, 0.0F);
  logits[3] = 9.4F;
  logits[7] = 9;
  std::vector<float> g(kMany);
  std::vector<float> gradient(kMany);
  PolicySettings settings;
  settings.estimator = Estimator::kOffPolicy;
  Random random(6);
  float largest = 0;
  for (int i = 0; i < 1000; ++i) {
    std::vector<float> rewards(kMany, 0.0F);
    rewards[7] = 1;
    policy_gradient(settings, {nullptr, 1, kMany}, logits.data(), rewards.data(), random,
                    {g.data(), gradient.data()});
    largest = std::max(largest, gradient[7]);
  }
  CHECK(g[7] * kMany > 1.5F * kMaxImportanceWeight);
  CHECK(largest == doctest::Approx((1 + kMaxImportanceWeight) * (1 - g[7])));
}

TEST_CASE("the self-critical baseline lowers the variance where rewards share an offset") {
  Situation situation = random_situation(7);
  for (float& reward : situation.rewards) reward += 5;
  std::fill(situation.observed.begin(), situation.observed.end(), uint8_t{0});
  PolicySettings settings;
  settings.estimator = Estimator::kReinforcePlain;
  const double without = total_variance(mean_gradient(settings, situation));
  settings.estimator = Estimator::kReinforce;
  CHECK(total_variance(mean_gradient(settings, situation)) < 0.2 * without);
}

TEST_CASE("candidates are drawn with their probabilities") {
  const std::vector<float> g{0.0F, 0.5F, 0.0F, 0.3F, 0.2F, 0.0F};
  std::vector<int> counts(g.size());
  Random random(8);
  constexpr int kDraws = 100000;
  for (int i = 0; i < kDraws; ++i)
    ++counts[static_cast<size_t>(draw_candidate(g.data(), 6, random))];
  for (size_t k = 0; k < g.size(); ++k) {
    const double wanted = double{g[k]} * kDraws;
    CHECK(std::abs(counts[k] - wanted) <= 4.5 * std::sqrt(wanted));
  }
  const std::vector<float> nothing(3, 0.0F);
  CHECK(draw_candidate(nothing.data(), 3, random) == -1);
  const std::vector<float> short_sum{0.0F, 1e-30F, 0.0F};
  CHECK(draw_candidate(short_sum.data(), 3, random) == 1);
}

TEST_CASE("the baseline is the reward of what is most likely, of equals the first") {
  const std::vector<float> g{0.1F, 0.4F, 0.4F, 0.1F};
  const std::vector<float> rewards{1, 2, 3, 4};
  const auto baseline = [&](PolicySettings::Estimator estimator) {
    PolicySettings settings;
    settings.estimator = estimator;
    return baseline_of(settings, g.data(), rewards.data(), 4);
  };
  CHECK(baseline(PolicySettings::Estimator::kReinforce) == 2);
  CHECK(baseline(PolicySettings::Estimator::kOffPolicy) == 2);
  CHECK(baseline(PolicySettings::Estimator::kReinforcePlain) == 0);
}

TEST_CASE("what has no probability is never drawn, though sums in float exceed a walk in double") {
  constexpr size_t kBlock = 256;  // outcomes that are summed in float
  constexpr size_t kSums = 16;    // side by side
  // One outcome; a block whose sums are rounded up at every step; one of which only the last is
  // possible. The place that is drawn lies in the second block's sum, and beyond its walk.
  std::vector<float> g(3 * kBlock, 0.0F);
  for (size_t k = 0; k < kBlock; ++k) g[kBlock + k] = k < kSums ? 0x1p-6F : 0x1.2p-30F;
  g.back() = 0.5F;
  double walk = 0;
  for (size_t k = 0; k < kBlock; ++k) walk += double{g[kBlock + k]};
  const double excess = (kBlock - kSums) * (0x1p-29 - 0x1.2p-30);
  for (uint64_t seed = 0; seed < 50; ++seed) {
    Random peek(seed);
    const double place = static_cast<double>(peek() >> 11) * 0x1p-53;
    if (place < walk + excess) continue;
    g[0] = static_cast<float>(place - walk - excess / 2);
    Random random(seed);
    const int64_t drawn = draw_candidate(g.data(), static_cast<int64_t>(g.size()), random);
    CHECK(g[static_cast<size_t>(drawn)] > 0.0F);
    int32_t outcome = -1;
    Random again(seed);
    draw_outcomes(g.data(), static_cast<int64_t>(g.size()), 1, again, &outcome);
    CHECK(outcome == drawn);
  }
}

TEST_CASE("a row whose logits are not numbers has no gradient and harms no other") {
  for (const Estimator estimator : {Estimator::kExact, Estimator::kOffPolicy}) {
    Situation situation = random_situation(9);
    for (size_t k = 0; k < kCandidates; ++k) situation.logits[k] = std::nanf("");
    PolicySettings settings;
    settings.estimator = estimator;
    settings.entropy_floor = 5;
    Random random(1);
    const Result result = run(settings, situation, random);
    for (size_t k = 0; k < kSize; ++k) {
      CHECK(std::isfinite(result.gradient[k]));
      if (k < kCandidates) CHECK(result.gradient[k] == 0.0F);
    }
  }
}

}  // namespace acevec
