// The turn over all outcomes against policy_gradient() with all outcomes as its candidates: every
// setting means the same in both.

#include "ace/full_policy.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

namespace acevec::full_policy_test {
namespace {

using Estimator = PolicySettings::Estimator;

constexpr int64_t kInputs = 6;
constexpr int64_t kOutcomes = 20;
constexpr float kRate = 0.1F;

// One condition, its outcomes' scores and rewards, and where g begins as softmax(scores).
struct Situation {
  std::vector<float> features, scores, rewards;
};

Situation random_situation(float spread) {
  Random random(12);
  Situation situation;
  for (int64_t k = 0; k < padded(kInputs); ++k) situation.features.push_back(random.uniform());
  for (int64_t y = 0; y < kOutcomes; ++y) {
    situation.scores.push_back(spread * random.uniform());
    situation.rewards.push_back(y % 5 == 0 ? -5.0F : 2 * random.uniform());
  }
  return situation;
}

// dJ/dlogits of the turn: an outcome's bias meets a constant 1, so what plain ascent adds to it is
// the rate times that.
std::vector<double> gradient_of_turn(const PolicySettings& settings, const Situation& situation,
                                     const std::vector<double>& noise, int64_t count,
                                     uint64_t seed) {
  GeneratorSettings generator{kInputs, {4}, kOutcomes, {}, 5};
  generator.optimizer.kind = OptimizerKind::kSgd;
  generator.optimizer.rate = kRate;
  GeneratorParameters parameters(generator);
  FullSoftmax softmax(parameters, 1);
  softmax.compute(situation.features.data(), 1, situation.scores.data(), 1);
  Random random(seed);
  std::vector<int32_t> drawn(static_cast<size_t>(count));
  std::vector<int32_t> drawn_noise;
  softmax.draw(0, count, random, drawn.data());
  const std::vector<float> p(noise.begin(), noise.end());
  for (int64_t i = 0; i < count; ++i) {
    drawn_noise.push_back(static_cast<int32_t>(draw_candidate(p.data(), kOutcomes, random)));
  }
  std::vector<float> rewards = situation.rewards;
  take_policy_step(settings,
                   {1, situation.features.data(), rewards.data(), drawn.data(), drawn_noise.data(),
                    count, noise.data()},
                   softmax);
  std::vector<double> gradient;
  const int64_t bias = parameters.outputs.columns() - 1;
  for (int64_t y = 0; y < kOutcomes; ++y) {
    gradient.push_back(double{parameters.outputs.row(y)[bias]} / double{kRate});
  }
  return gradient;
}

std::vector<double> gradient_of_candidates(const PolicySettings& settings,
                                           const Situation& situation) {
  std::vector<float> rewards = situation.rewards;
  std::vector<float> g(kOutcomes);
  std::vector<float> gradient(kOutcomes);
  Random random(1);
  policy_gradient(settings, {nullptr, 1, kOutcomes}, situation.scores.data(), rewards.data(),
                  random, {g.data(), gradient.data()});
  return {gradient.begin(), gradient.end()};
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0;
  for (size_t y = 0; y < a.size(); ++y) worst = std::max(worst, std::abs(a[y] - b[y]));
  return worst;
}

const std::vector<double> kUniform(kOutcomes, 1.0 / kOutcomes);

}  // namespace

TEST_CASE("by expectation, a turn is what it is with all outcomes as candidates") {
  const Situation situation = random_situation(4);
  for (const double floor : {0.0, 15.0}) {
    const PolicySettings settings{Estimator::kExact, floor, 5};
    CAPTURE(floor);
    CHECK(largest_difference(gradient_of_turn(settings, situation, kUniform, 3, 1),
                             gradient_of_candidates(settings, situation)) < 1e-5);
  }
}

TEST_CASE("by draws, a turn's mean is the expectation, from the noise too, which may be uneven") {
  const Situation situation = random_situation(2);  // no weight is cut
  std::vector<double> noise;
  for (int64_t y = 0; y < kOutcomes; ++y) noise.push_back((1 + static_cast<double>(y % 4)) / 50);
  const std::vector<double> exact =
      gradient_of_turn({Estimator::kExact, 15, 5}, situation, noise, 5, 1);
  const std::vector<double> of_rewards =
      gradient_of_turn({Estimator::kExact, 0, 5}, situation, noise, 5, 1);
  for (const Estimator estimator :
       {Estimator::kReinforce, Estimator::kReinforcePlain, Estimator::kOffPolicy}) {
    const PolicySettings settings{estimator, 15, 5};
    std::vector<double> mean(kOutcomes, 0);
    std::vector<double> square(kOutcomes, 0);
    constexpr int kTurns = 4000;
    for (int turn = 0; turn < kTurns; ++turn) {
      const std::vector<double> gradient =
          gradient_of_turn(settings, situation, noise, 5, static_cast<uint64_t>(turn));
      for (size_t y = 0; y < kOutcomes; ++y) {
        mean[y] += gradient[y] / kTurns;
        square[y] += gradient[y] * gradient[y] / kTurns;
      }
    }
    for (size_t y = 0; y < kOutcomes; ++y) {
      const double error = std::sqrt((square[y] - mean[y] * mean[y]) / kTurns);
      const double more = estimator == Estimator::kOffPolicy ? of_rewards[y] : 0;
      CHECK(std::abs(mean[y] - exact[y] - more) < 4.5 * error + 1e-6);
    }
  }
}

TEST_CASE("a noise draw's importance is cut") {
  Situation situation = random_situation(0);
  situation.scores[3] = std::log(18.0F);  // a third of g, and outcome 4, whose reward is the
  situation.scores[4] = std::log(18.1F);  // baseline, a little more
  situation.rewards.assign(kOutcomes, 0);
  situation.rewards[3] = 1;
  std::vector<double> noise(kOutcomes, 0.98 / (kOutcomes - 1));
  noise[3] = 0.02;  // g/p = 17
  const PolicySettings settings{Estimator::kOffPolicy, 0, 5};
  double largest = 0;
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    largest = std::max(largest, gradient_of_turn(settings, situation, noise, 1, seed)[3]);
  }
  // 3 drawn from g and from the noise: (1 + 10) · (1 − g).
  CHECK(largest == doctest::Approx(11 * (1 - 18 / 54.1)).epsilon(1e-4));
}

}  // namespace acevec::full_policy_test
