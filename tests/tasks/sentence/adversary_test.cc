// Tests of sentence/adversary: it begins as the softmax of the scores, keeps weights at 1 in the
// mean, leaves out true neighbours, and its step is the gradient of finite differences.

#include "tasks/sentence/adversary.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace acevec {
namespace {

constexpr int64_t kRows = 3, kCandidates = 5, kSize = 4, kWidth = 16;
constexpr Mark o = Mark::kOther, t = Mark::kTarget, x = Mark::kLeftOut;
const std::vector<Mark> kMarks{x, t, o, o, o,   //
                               t, x, t, o, o,   //
                               o, o, x, x, o};  // no target

struct Game {
  Game() : f(kRows * kWidth), g(kCandidates * kWidth) {
    Random random(4);
    for (AlignedFloats* rows : {&f, &g}) {
      const int64_t count = rows == &f ? kRows : kCandidates;
      for (int64_t i = 0; i < count; ++i) {
        for (int64_t k = 0; k < kSize; ++k) rows->data()[i * kWidth + k] = 2 * random.uniform() - 1;
      }
    }
    for (int64_t i = 0; i < kRows; ++i) {
      for (int64_t j = 0; j < kCandidates; ++j) {
        float score = 0;
        for (int64_t k = 0; k < kSize; ++k) {
          score += f.data()[i * kWidth + k] * g.data()[j * kWidth + k];
        }
        scores.push_back(score);
      }
    }
  }

  ScoreTable table() {
    return {{scores.data(), kCandidates}, kMarks.data(), nullptr, kRows, kCandidates};
  }

  AlignedFloats f, g;
  std::vector<float> scores;
};

SentenceAdversarySettings some_settings() {
  SentenceAdversarySettings settings;
  settings.lambda = 0.4;
  settings.beta = 0.5F;
  settings.units = 6;
  settings.every = 1;
  settings.policy.penalty = 2;
  settings.policy.entropy_floor = 4;
  settings.optimizer.kind = OptimizerKind::kSgd;
  settings.optimizer.rate = 0.01F;
  return settings;
}

SentenceAdversary some_adversary(const SentenceAdversarySettings& settings) {
  return {settings, kSize, 1, kRows, kCandidates, 1};
}

// Q and K.
std::vector<Matrix*> layers_of(SentenceAdversary& adversary) {
  std::vector<Parameter> parameters;
  adversary.list(parameters);
  return {parameters[0].matrix, parameters[2].matrix};
}

// J of generator parameters, in double.
double objective(const Matrix& queries, const Matrix& keys, Game& game,
                 const SentenceAdversarySettings& settings) {
  const auto layer = [&](const Matrix& parameters, const float* input, int64_t unit) {
    double sum = double{parameters.row(kSize)[unit]};
    for (int64_t k = 0; k < kSize; ++k) sum += double{input[k]} * double{parameters.row(k)[unit]};
    return std::tanh(sum);
  };
  std::vector<float> rewards(kMarks.size());
  contrast_rewards(game.table(), rewards.data());
  double sum = 0;
  for (int64_t i = 0; i < kRows; ++i) {
    double logits[kCandidates], total = 0, value = 0, entropy = 0;
    for (int64_t j = 0; j < kCandidates; ++j) {
      logits[j] =
          double{settings.beta} * double{game.scores[static_cast<size_t>(i * kCandidates + j)]};
      for (int64_t unit = 0; unit < settings.units; ++unit) {
        logits[j] += layer(queries, game.f.data() + i * kWidth, unit) *
                     layer(keys, game.g.data() + j * kWidth, unit);
      }
      total += std::exp(logits[j]);
    }
    for (int64_t j = 0; j < kCandidates; ++j) {
      const double p = std::exp(logits[j]) / total;
      const auto at = static_cast<size_t>(i * kCandidates + j);
      value += p * (kMarks[at] == o ? double{rewards[at]} : -double{settings.policy.penalty});
      entropy -= p * std::log(p);
    }
    sum += value - std::max(0.0, std::log(settings.policy.entropy_floor) - entropy);
  }
  return sum;
}

}  // namespace

TEST_CASE("candidates begin with weights by the softmax of their scores, 1 in the mean") {
  Game game;
  SentenceAdversary adversary = some_adversary(some_settings());
  // The generator learns behind what this call's logits were made of.
  const float* const weights =
      adversary.compute_weights(game.table(), game.f.data(), game.g.data(), kWidth, 1);
  for (size_t i = 0; i < kRows; ++i) {
    double total = 0, sum = 0;
    int others = 0;
    for (size_t j = 0; j < kCandidates; ++j) {
      const size_t at = i * kCandidates + j;
      if (kMarks[at] != o) continue;
      ++others;
      total += std::exp(0.5 * double{game.scores[at]});
      sum += double{weights[at]};
    }
    CHECK(sum == doctest::Approx(others));
    for (size_t j = 0; j < kCandidates; ++j) {
      const size_t at = i * kCandidates + j;
      if (kMarks[at] != o) continue;
      const double g = std::exp(0.5 * double{game.scores[at]}) / total;
      CHECK(double{weights[at]} == doctest::Approx(0.4 + 0.6 * others * g));
    }
  }
}

TEST_CASE("the adversary's step is the gradient of what it is paid") {
  Game game;
  const SentenceAdversarySettings settings = some_settings();
  SentenceAdversary adversary = some_adversary(settings), start = some_adversary(settings);
  const std::vector<Matrix*> taught = layers_of(adversary), before = layers_of(start);
  for (Matrix* keys : {taught[1], before[1]}) {
    Random same(5);
    for (int64_t i = 0; i <= kSize; ++i) {
      for (int64_t k = 0; k < settings.units; ++k) keys->row(i)[k] = same.uniform() - 0.5F;
    }
  }
  adversary.compute_weights(game.table(), game.f.data(), game.g.data(), kWidth, 1);
  for (const size_t layer : {0, 1}) {
    for (int64_t i = 0; i < before[layer]->rows(); ++i) {
      for (int64_t k = 0; k < settings.units; ++k) {
        float& value = before[layer]->row(i)[k];
        const float old = value;
        const double taken = double{taught[layer]->row(i)[k] - old} / 0.01;
        value = old + 0x1p-9F;
        const double above = objective(*before[0], *before[1], game, settings);
        value = old - 0x1p-9F;
        const double below = objective(*before[0], *before[1], game, settings);
        value = old;
        CHECK(taken == doctest::Approx((above - below) / 0x1p-8).epsilon(0.01).scale(0.05));
      }
    }
  }
}

}  // namespace acevec
