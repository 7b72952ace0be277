// The softmax over all outcomes: its distribution, its draws and its two ways of learning.

#include "ace/full_softmax.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>
#include "base/parallel.h"

namespace acevec::full_softmax_test {
namespace {

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

std::vector<float> outputs_of(const GeneratorParameters& parameters) {
  std::vector<float> values;
  for (int64_t i = 0; i < kOutcomes; ++i) {
    const float* const row = parameters.outputs.row(i);
    values.insert(values.end(), row, row + parameters.outputs.columns());
  }
  return values;
}

std::vector<float> layer_of(const GeneratorParameters& parameters) {
  const Matrix& layer = parameters.layers[0];
  return {layer.row(0), layer.row(0) + layer.rows() * layer.stride()};
}

double largest_difference(const std::vector<float>& a, const std::vector<float>& b) {
  REQUIRE(a.size() == b.size());
  double worst = 0;
  for (size_t i = 0; i < a.size(); ++i)
    worst = std::max(worst, std::abs(double{a[i]} - double{b[i]}));
  return worst;
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

TEST_CASE("learning from every outcome, weighted by g, is learning exactly, and that is right") {
  const Batch batch = random_batch(2);
  constexpr float kRate = 0.05F;
  constexpr double kFloor = 2000;  // above all entropies: acts
  GeneratorParameters exact(settings_for(OptimizerKind::kSgd, kRate));
  GeneratorParameters sampled(settings_for(OptimizerKind::kSgd, kRate));
  randomise_outputs(exact);
  randomise_outputs(sampled);
  const std::vector<float> before = outputs_of(exact);

  FullSoftmax exact_softmax(exact, kRows);
  exact_softmax.compute(batch.features.data(), kRows, batch.prior.data(), kBeta);
  double reward = 0;
  std::vector<double> bias_gradient(kOutcomes);
  for (int64_t i = 0; i < kRows; ++i) {
    double mean = 0;
    const float* const g = exact_softmax.probabilities(i);
    const float* const r = batch.rewards.data() + i * kOutcomes;
    for (int64_t y = 0; y < kOutcomes; ++y) mean += double{g[y]} * double{r[y]};
    for (int64_t y = 0; y < kOutcomes; ++y) {
      const double p = double{g[y]};
      bias_gradient[static_cast<size_t>(y)] +=
          p * (double{r[y]} - mean) - p * (std::log(p) + double{exact_softmax.entropy(i)});
    }
    reward += mean;
  }
  CHECK(exact_softmax.learn_exactly(batch.features.data(), batch.rewards.data(), kFloor) ==
        doctest::Approx(reward).epsilon(1e-5));
  // The bias of an outcome is its logit's own: other parameters are tested in generator_test.cc.
  const int64_t bias = exact.outputs.columns() - 1;
  const std::vector<float> after = outputs_of(exact);
  double worst = 0;
  for (int64_t y = 0; y < kOutcomes; ++y) {
    const auto at = static_cast<size_t>(y * exact.outputs.columns() + bias);
    const double change = double{after[at]} - double{before[at]};
    worst =
        std::max(worst, std::abs(change / double{kRate} - bias_gradient[static_cast<size_t>(y)]));
  }
  CHECK(worst < 5e-6);

  FullSoftmax sampled_softmax(sampled, kRows);
  sampled_softmax.compute(batch.features.data(), kRows, batch.prior.data(), kBeta);
  std::vector<int32_t> drawn;
  std::vector<float> weights;
  for (int64_t i = 0; i < kRows; ++i) {
    for (int32_t y = 0; y < kOutcomes; ++y) {
      const float advantage = batch.rewards[static_cast<size_t>(i * kOutcomes + y)] - 0.3F;
      drawn.push_back(y);
      weights.push_back(sampled_softmax.probabilities(i)[y] * advantage * kOutcomes);
    }
  }
  sampled_softmax.learn(batch.features.data(), drawn.data(), weights.data(), kOutcomes, kFloor);
  CHECK(largest_difference(outputs_of(exact), outputs_of(sampled)) < 1e-6);
  CHECK(largest_difference(layer_of(exact), layer_of(sampled)) < 1e-6);
  CHECK(largest_difference(outputs_of(exact), before) > 1e-4);
}

TEST_CASE("it learns from draws what pays, several threads at once, and skips what was not drawn") {
  GeneratorParameters parameters(settings_for(OptimizerKind::kAdam, 0.02F));
  // Outcomes 600 .. 699 pay; the floor keeps more than one of them in play.
  in_parallel(2, [&](int thread) {
    FullSoftmax full(parameters, kRows);
    Random random(static_cast<uint64_t>(thread));
    constexpr int64_t kDraws = 20;
    std::vector<int32_t> drawn(kRows * kDraws);
    std::vector<float> weights(drawn.size());
    for (int turn = 0; turn < 150; ++turn) {
      const Batch batch = random_batch(static_cast<uint64_t>(turn % 5));
      full.compute(batch.features.data(), kRows, nullptr, 0);
      for (int64_t i = 0; i < kRows; ++i) full.draw(i, kDraws, random, drawn.data() + i * kDraws);
      for (size_t k = 0; k < drawn.size(); ++k) {
        weights[k] = drawn[k] >= 600 && drawn[k] < 700 ? 1.0F : 0.0F;
      }
      drawn[0] = -1;
      full.learn(batch.features.data(), drawn.data(), weights.data(), kDraws, 20);
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

}  // namespace acevec::full_softmax_test
