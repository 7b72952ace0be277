// The softmax over all outcomes: its distribution, its draws, and how it learns: as
// policy_gradient() with all outcomes as its candidates, by every estimator.

#include "ace/generator.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>
#include "base/parallel.h"

namespace acevec::full_softmax_test {
namespace {

using Estimator = PolicySettings::Estimator;

constexpr int64_t kInputs = 10;
constexpr int64_t kOutcomes = 1300;  // more than are worked on at a time
constexpr int64_t kRows = 3;
constexpr float kBeta = 0.5F;

GeneratorSettings settings_for(OptimizerKind kind, float rate) {
  GeneratorSettings settings{kInputs, {8}, kOutcomes, {}, 5};
  settings.optimizer.kind = kind;
  settings.optimizer.rate = rate;
  return settings;
}

std::vector<float> random_floats(int64_t size, float range, Random& random) {
  std::vector<float> floats(static_cast<size_t>(size));
  for (float& value : floats) value = range * (2 * random.uniform() - 1);
  return floats;
}

// Conditions with the prior and the rewards of all outcomes.
struct Batch {
  std::vector<float> features, prior, rewards;
};

Batch random_batch(uint64_t seed) {
  Random random(seed);
  return {random_floats(kRows * padded(kInputs), 1, random),
          random_floats(kRows * kOutcomes, 4, random), random_floats(kRows * kOutcomes, 2, random)};
}

void randomise_outputs(GeneratorParameters& parameters) {
  Random random(3);
  for (int64_t i = 0; i < kOutcomes; ++i) {
    for (int64_t k = 0; k < parameters.outputs.columns(); ++k) {
      parameters.outputs.row(i)[k] = 2 * random.uniform() - 1;
    }
  }
}

}  // namespace

TEST_CASE("compute gives the softmax of all logits") {
  GeneratorParameters parameters(settings_for(OptimizerKind::kAdam, 0.01F));
  randomise_outputs(parameters);
  const Batch batch = random_batch(1);
  FullSoftmax full(parameters, kRows + 1);
  full.compute(batch.features.data(), kRows, batch.prior.data(), kBeta);
  CHECK(full.outcomes() == kOutcomes);
  Generator generator(parameters, kRows, 1);
  const float* const h = generator.hidden(batch.features.data(), kRows);
  for (int64_t i = 0; i < kRows; ++i) {
    std::vector<double> g;
    double sum = 0;
    for (int64_t y = 0; y < kOutcomes; ++y) {
      double logit = double{kBeta} * double{batch.prior[static_cast<size_t>(i * kOutcomes + y)]};
      for (int64_t k = 0; k < generator.width(); ++k) {
        logit += double{h[i * generator.width() + k]} * double{parameters.outputs.row(y)[k]};
      }
      g.push_back(std::exp(logit));
      sum += g.back();
    }
    double entropy = 0;
    double worst = 0;
    for (size_t y = 0; y < g.size(); ++y) {
      g[y] /= sum;
      entropy -= g[y] * std::log(g[y]);
      worst = std::max(worst, std::abs(g[y] - double{full.probabilities(i)[y]}));
    }
    CHECK(worst < 1e-7);
    CHECK(full.entropy(i) == doctest::Approx(entropy).epsilon(1e-5));
  }
}

TEST_CASE("outcomes are drawn in order and with their probabilities") {
  GeneratorParameters parameters(settings_for(OptimizerKind::kAdam, 0.01F));
  Batch batch = random_batch(1);
  // Row 0: four outcomes share everything, one of them the last. Row 1: nothing is a number.
  for (int64_t y = 0; y < kOutcomes; ++y) {
    batch.prior[static_cast<size_t>(y)] = y % 400 == 99 ? static_cast<float>(y) / 400 : -500;
    batch.prior[static_cast<size_t>(kOutcomes + y)] = std::nanf("");
  }
  FullSoftmax full(parameters, kRows);
  full.compute(batch.features.data(), kRows, batch.prior.data(), kBeta);
  constexpr int64_t kDraws = 100000;
  std::vector<int32_t> drawn(kDraws);
  Random random(4);
  full.draw(0, kDraws, random, drawn.data());
  CHECK(std::is_sorted(drawn.begin(), drawn.end()));
  double all = 0;
  for (const int32_t y : {99, 499, 899, 1299}) {
    const double wanted = kDraws * double{full.probabilities(0)[y]};
    const auto count = static_cast<double>(std::count(drawn.begin(), drawn.end(), y));
    CHECK(std::abs(count - wanted) < 4.5 * std::sqrt(wanted));
    all += count;
  }
  CHECK(all == kDraws);
  full.draw(1, 3, random, drawn.data());
  for (size_t i = 0; i < 3; ++i) CHECK(drawn[i] == -1);
}

TEST_CASE("what is left out is not drawn, and the rest shares what it had") {
  GeneratorParameters parameters(settings_for(OptimizerKind::kAdam, 0.01F));
  const Batch batch = random_batch(2);
  FullSoftmax full(parameters, kRows);
  full.compute(batch.features.data(), kRows, batch.prior.data(), kBeta);
  const std::vector<float> before(full.probabilities(0), full.probabilities(kRows));
  // Row 0: every third; row 1: all; row 2: none.
  std::vector<uint8_t> observed(static_cast<size_t>(kRows * kOutcomes));
  double third = 0;
  for (size_t y = 0; y < kOutcomes; ++y) {
    observed[y] = y % 3 == 0;
    observed[kOutcomes + y] = 1;
    third += y % 3 == 0 ? double{before[y]} : 0;
  }
  CHECK(full.leave_out(observed.data()) == doctest::Approx(third + 1).epsilon(1e-5));
  for (size_t y = 0; y < kOutcomes; ++y) {
    const double wanted = y % 3 == 0 ? 0 : double{before[y]} / (1 - third);
    REQUIRE(double{full.probabilities(0)[y]} == doctest::Approx(wanted).epsilon(1e-4));
    REQUIRE(full.probabilities(1)[y] == 0.0F);
    REQUIRE(double{full.probabilities(2)[y]} ==
            doctest::Approx(double{before[2 * kOutcomes + y]}).epsilon(1e-4));
  }
  std::vector<int32_t> drawn(1000);
  Random random(4);
  full.draw(0, 1000, random, drawn.data());
  for (const int32_t y : drawn) REQUIRE(y % 3 != 0);
  full.draw(1, 1, random, drawn.data());
  CHECK(drawn[0] == -1);
}

TEST_CASE("learning from the expectation takes the step that the objective asks for") {
  const Batch batch = random_batch(2);
  constexpr float kRate = 0.05F;
  constexpr double kFloor = 2000;  // above all entropies: acts
  GeneratorParameters parameters(settings_for(OptimizerKind::kSgd, kRate));
  randomise_outputs(parameters);
  const Matrix& outputs = parameters.outputs;
  // The bias of an outcome is its logit's own: other parameters are tested in generator_test.cc.
  const int64_t bias = outputs.columns() - 1;
  std::vector<float> before;
  for (int64_t y = 0; y < kOutcomes; ++y) before.push_back(outputs.row(y)[bias]);

  FullSoftmax full(parameters, kRows, 2);
  full.compute(batch.features.data(), kRows, batch.prior.data(), kBeta);
  std::vector<double> bias_gradient(kOutcomes);
  for (int64_t i = 0; i < kRows; ++i) {
    double mean = 0;
    const float* const g = full.probabilities(i);
    const float* const r = batch.rewards.data() + i * kOutcomes;
    for (int64_t y = 0; y < kOutcomes; ++y) mean += double{g[y]} * double{r[y]};
    for (int64_t y = 0; y < kOutcomes; ++y) {
      const double p = double{g[y]};
      bias_gradient[static_cast<size_t>(y)] +=
          p * (double{r[y]} - mean) - p * (std::log(p) + double{full.entropy(i)});
    }
  }
  full.learn({Estimator::kExact, kFloor}, {batch.features.data(), batch.rewards.data()});
  double worst = 0;
  for (int64_t y = 0; y < kOutcomes; ++y) {
    const auto at = static_cast<size_t>(y);
    const double change = double{outputs.row(y)[bias]} - double{before[at]};
    worst = std::max(worst, std::abs(change / double{kRate} - bias_gradient[at]));
  }
  CHECK(worst < 5e-6);
}

TEST_CASE("it learns from draws what pays, several threads at once, and skips what was not drawn") {
  GeneratorParameters parameters(settings_for(OptimizerKind::kAdam, 0.02F));
  // Outcomes 600 .. 699 pay; the floor keeps more than one of them in play.
  in_parallel(2, [&](int thread) {
    FullSoftmax full(parameters, kRows);
    Random random(static_cast<uint64_t>(thread));
    constexpr int64_t kDraws = 20;
    std::vector<int32_t> drawn(kRows * kDraws);
    std::vector<float> rewards(kRows * kOutcomes);
    for (size_t at = 0; at < rewards.size(); ++at) {
      rewards[at] = at % kOutcomes >= 600 && at % kOutcomes < 700 ? 1.0F : 0.0F;
    }
    for (int turn = 0; turn < 150; ++turn) {
      const Batch batch = random_batch(static_cast<uint64_t>(turn % 5));
      full.compute(batch.features.data(), kRows, nullptr, 0);
      for (int64_t i = 0; i < kRows; ++i) full.draw(i, kDraws, random, drawn.data() + i * kDraws);
      drawn[0] = -1;
      full.learn({Estimator::kReinforcePlain, 20},
                 {batch.features.data(), rewards.data(), drawn.data(), kDraws});
    }
  });
  FullSoftmax full(parameters, kRows);
  const Batch batch = random_batch(0);
  full.compute(batch.features.data(), kRows, nullptr, 0);
  for (int64_t i = 0; i < kRows; ++i) {
    double share = 0;
    for (int64_t y = 600; y < 700; ++y) share += double{full.probabilities(i)[y]};
    CHECK(share > 0.7);
    CHECK(full.entropy(i) > 0.5F * std::log(20.0F));
  }
}

TEST_CASE("a team has the g and the steps of one thread to the byte, and of a shared generator") {
  for (const Estimator estimator :
       {Estimator::kExact, Estimator::kReinforce, Estimator::kOffPolicy}) {
    const auto train = [&](int threads) {
      GeneratorParameters parameters(settings_for(OptimizerKind::kAdam, 0.02F));
      randomise_outputs(parameters);
      FullSoftmax full(parameters, kRows, threads);
      constexpr int64_t kDraws = 20;
      std::vector<int32_t> drawn(kRows * kDraws), noise(drawn.size());
      const std::vector<double> noise_probabilities(kOutcomes, 1.0 / kOutcomes);
      Random random(1);
      std::vector<float> all;
      for (uint64_t turn = 0; turn < 3; ++turn) {
        const Batch batch = random_batch(turn);
        full.compute(batch.features.data(), kRows, batch.prior.data(), kBeta);
        for (int64_t i = 0; i < kRows; ++i) full.draw(i, kDraws, random, drawn.data() + i * kDraws);
        for (int32_t& y : noise) y = static_cast<int32_t>(random.below(kOutcomes));
        full.learn({estimator, 20}, {batch.features.data(), batch.rewards.data(), drawn.data(),
                                     kDraws, noise.data(), noise_probabilities.data()});
        std::vector<uint8_t> observed(kRows * kOutcomes);
        for (size_t i = 0; i < observed.size(); ++i) observed[i] = i % 7 == 0;
        all.push_back(static_cast<float>(full.leave_out(observed.data())));
        all.insert(all.end(), full.probabilities(0), full.probabilities(kRows));
      }
      return all;
    };
    const std::vector<float> one = train(1);
    for (const int threads : {2, 3, 5, 16}) CHECK(train(threads) == one);
    const std::vector<float> shared = train(DenseLayer::kShared);
    double worst = 0;
    for (size_t i = 0; i < one.size(); ++i) {
      worst = std::max(worst, std::abs(double{one[i]} - double{shared[i]}));
    }
    CHECK(worst < 1e-5);
  }
}

namespace {

constexpr int64_t kFew = 20;  // outcomes

// One condition, its outcomes' scores and rewards, and where g begins as softmax(scores).
struct Situation {
  std::vector<float> features, scores, rewards;
};

Situation random_situation(float spread) {
  Random random(12);
  Situation situation;
  for (int64_t k = 0; k < padded(kInputs); ++k) situation.features.push_back(random.uniform());
  for (int64_t y = 0; y < kFew; ++y) {
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
  GeneratorSettings generator{kInputs, {4}, kFew, {}, 5};
  generator.optimizer.kind = OptimizerKind::kSgd;
  constexpr float kRate = 0.1F;
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
    drawn_noise.push_back(static_cast<int32_t>(draw_candidate(p.data(), kFew, random)));
  }
  softmax.learn(settings, {situation.features.data(), situation.rewards.data(), drawn.data(), count,
                           drawn_noise.data(), noise.data()});
  std::vector<double> gradient;
  const int64_t bias = parameters.outputs.columns() - 1;
  for (int64_t y = 0; y < kFew; ++y) {
    gradient.push_back(double{parameters.outputs.row(y)[bias]} / double{kRate});
  }
  return gradient;
}

std::vector<double> gradient_of_candidates(const PolicySettings& settings,
                                           const Situation& situation) {
  std::vector<float> rewards = situation.rewards;
  std::vector<float> g(kFew);
  std::vector<float> gradient(kFew);
  Random random(1);
  policy_gradient(settings, {nullptr, 1, kFew}, situation.scores.data(), rewards.data(), random,
                  {g.data(), gradient.data()});
  return {gradient.begin(), gradient.end()};
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0;
  for (size_t y = 0; y < a.size(); ++y) worst = std::max(worst, std::abs(a[y] - b[y]));
  return worst;
}

const std::vector<double> kUniform(kFew, 1.0 / kFew);

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
  for (int64_t y = 0; y < kFew; ++y) noise.push_back((1 + static_cast<double>(y % 4)) / 50);
  const std::vector<double> exact =
      gradient_of_turn({Estimator::kExact, 15, 5}, situation, noise, 5, 1);
  const std::vector<double> of_rewards =
      gradient_of_turn({Estimator::kExact, 0, 5}, situation, noise, 5, 1);
  for (const Estimator estimator :
       {Estimator::kReinforce, Estimator::kReinforcePlain, Estimator::kOffPolicy}) {
    const PolicySettings settings{estimator, 15, 5};
    std::vector<double> mean(kFew, 0);
    std::vector<double> square(kFew, 0);
    constexpr int kTurns = 4000;
    for (int turn = 0; turn < kTurns; ++turn) {
      const std::vector<double> gradient =
          gradient_of_turn(settings, situation, noise, 5, static_cast<uint64_t>(turn));
      for (size_t y = 0; y < kFew; ++y) {
        mean[y] += gradient[y] / kTurns;
        square[y] += gradient[y] * gradient[y] / kTurns;
      }
    }
    for (size_t y = 0; y < kFew; ++y) {
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
  situation.rewards.assign(kFew, 0);
  situation.rewards[3] = 1;
  std::vector<double> noise(kFew, 0.98 / (kFew - 1));
  noise[3] = 0.02;  // g/p = 17
  const PolicySettings settings{Estimator::kOffPolicy, 0, 5};
  double largest = 0;
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    largest = std::max(largest, gradient_of_turn(settings, situation, noise, 1, seed)[3]);
  }
  // 3 drawn from g and from the noise: (1 + 10) · (1 − g).
  CHECK(largest == doctest::Approx(11 * (1 - 18 / 54.1)).epsilon(1e-4));
}

}  // namespace acevec::full_softmax_test
