// What each loss recovers from a joint distribution when every pair of x and y has a score of its
// own, and the ranking loss with an adversary.

#include "tasks/word/loss.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>
#include "kernels/logistic_loss.h"
#include "tasks/word/reference_trainer.h"

namespace acevec {
namespace {

constexpr size_t kConditions = 3;
constexpr size_t kOutcomes = 4;
using Table = std::vector<std::vector<double>>;

// p(x, y)
const Table kJoint{{0.20, 0.05, 0.02, 0.03}, {0.01, 0.14, 0.15, 0.10}, {0.04, 0.06, 0.10, 0.10}};

// p(x)
double condition(size_t x) {
  double sum = 0;
  for (const double p : kJoint[x]) sum += p;
  return sum;
}

// p(y)
std::vector<double> unigram() {
  std::vector<double> sums(kOutcomes, 0);
  for (const auto& row : kJoint) {
    for (size_t y = 0; y < kOutcomes; ++y) sums[y] += row[y];
  }
  return sums;
}

const std::vector<std::vector<double>> kNoises{
    unigram(), std::vector<double>(kOutcomes, 0.25), {0.55, 0.25, 0.15, 0.05}};

std::vector<float> corrected(const std::vector<double>& row,
                             const std::vector<float>& corrections) {
  std::vector<float> scores;
  for (size_t y = 0; y < kOutcomes; ++y) {
    const float correction = corrections.empty() ? 0.0F : corrections[y];
    scores.push_back(static_cast<float>(row[y]) - correction);
  }
  return scores;
}

// The expected change of the scores of one x: over p(y | x) and K negatives from q.
std::vector<double> tell_apart(size_t x, const std::vector<double>& row,
                               const std::vector<double>& q, int64_t negatives,
                               const std::vector<float>& corrections) {
  std::vector<float> pulled = corrected(row, corrections);
  std::vector<float> pushed = pulled;
  const float weight = 1;
  logistic_loss_of_positives(pulled.data(), kOutcomes, nullptr, 1.0F);
  logistic_loss_of_negatives(pushed.data(), 1, kOutcomes, &weight, 1.0F);
  std::vector<double> change;
  for (size_t y = 0; y < kOutcomes; ++y) {
    change.push_back(kJoint[x][y] / condition(x) * double{pulled[y]} +
                     static_cast<double>(negatives) * q[y] * double{pushed[y]});
  }
  return change;
}

// The same for the ranking loss: every positive with every sample of negatives in its turn, each
// in a row of its own, weighted by its probability.
std::vector<double> rank(size_t x, const std::vector<double>& row, const std::vector<double>& q,
                         int64_t negatives, const BlockLoss& loss) {
  const std::vector<float> scores = corrected(row, loss.corrections());
  std::vector<float> positives;
  std::vector<float> others;
  std::vector<size_t> outcomes;  // 1 + negatives of each row
  std::vector<double> weights;
  const auto samples = static_cast<size_t>(std::pow(kOutcomes, negatives));
  for (size_t y = 0; y < kOutcomes; ++y) {
    for (size_t sample = 0; sample < samples; ++sample) {
      positives.push_back(scores[y]);
      outcomes.push_back(y);
      weights.push_back(kJoint[x][y] / condition(x));
      size_t rest = sample;
      for (int64_t k = 0; k < negatives; ++k, rest /= kOutcomes) {
        others.push_back(scores[rest % kOutcomes]);
        outcomes.push_back(rest % kOutcomes);
        weights.back() *= q[rest % kOutcomes];
      }
    }
  }
  BlockLoss::Scratch scratch;
  loss.descend({positives.data(), 1, nullptr, others.data(), negatives, std::ssize(positives)}, {},
               1.0F, {}, scratch);
  std::vector<double> change(kOutcomes, 0);
  const auto width = static_cast<size_t>(1 + negatives);
  for (size_t i = 0; i < positives.size(); ++i) {
    change[outcomes[i * width]] += weights[i] * double{positives[i]};
    for (size_t k = 1; k < width; ++k) {
      change[outcomes[i * width + k]] += weights[i] * double{others[i * (width - 1) + k - 1]};
    }
  }
  return change;
}

// Scores after gradient descent, from 0, on the expected loss.
Table train(LossKind kind, const std::vector<double>& q, int64_t negatives) {
  const std::unique_ptr<BlockLoss> loss = make_block_loss(kind, q, negatives);
  Table scores(kConditions, std::vector<double>(kOutcomes, 0));
  for (size_t x = 0; x < kConditions; ++x) {
    for (int step = 0; step < 4000; ++step) {
      const std::vector<double> change =
          kind == LossKind::kRanking ? rank(x, scores[x], q, negatives, *loss)
                                     : tell_apart(x, scores[x], q, negatives, loss->corrections());
      for (size_t y = 0; y < kOutcomes; ++y) scores[x][y] += 2 * change[y];
    }
  }
  return scores;
}

// Of scores that have been corrected.
std::unique_ptr<BlockLoss> ranking_loss() {
  return make_block_loss(LossKind::kRanking, {}, 1);
}

constexpr double kTolerance = 1e-3;  // of probabilities and of scores

template <class Check>
void for_each_setting(Check&& check) {
  for (const std::vector<double>& q : kNoises) {
    for (const int64_t negatives : {1, 3}) {
      CAPTURE(q[0]);
      CAPTURE(negatives);
      check(q, negatives);
    }
  }
}

}  // namespace

TEST_CASE("binary NCE recovers p(y|x) without normalising, whatever the noise") {
  for_each_setting([](const std::vector<double>& q, int64_t negatives) {
    const Table scores = train(LossKind::kNce, q, negatives);
    for (size_t x = 0; x < kConditions; ++x) {
      for (size_t y = 0; y < kOutcomes; ++y) {
        CHECK(std::abs(std::exp(scores[x][y]) - kJoint[x][y] / condition(x)) < kTolerance);
      }
    }
  });
}

TEST_CASE("ranking NCE recovers p(y|x) after normalising, whatever the noise and the sample size") {
  for_each_setting([](const std::vector<double>& q, int64_t negatives) {
    const Table scores = train(LossKind::kRanking, q, negatives);
    for (size_t x = 0; x < kConditions; ++x) {
      double sum = 0;
      for (const double score : scores[x]) sum += std::exp(score);
      for (size_t y = 0; y < kOutcomes; ++y) {
        CHECK(std::abs(std::exp(scores[x][y]) / sum - kJoint[x][y] / condition(x)) < kTolerance);
      }
    }
  });
}

TEST_CASE("negative sampling gives log p(y|x)/q(y) - log K, with unigram noise PMI - log K") {
  for_each_setting([](const std::vector<double>& q, int64_t negatives) {
    const Table scores = train(LossKind::kNegativeSampling, q, negatives);
    for (size_t x = 0; x < kConditions; ++x) {
      for (size_t y = 0; y < kOutcomes; ++y) {
        const double ratio = std::log(kJoint[x][y] / condition(x) / q[y]);
        CHECK(std::abs(scores[x][y] - (ratio - std::log(static_cast<double>(negatives)))) <
              kTolerance);
      }
    }
  });
}

TEST_CASE("the ranking loss of weighted negatives, and its numerical gradient") {
  const double infinity = double{kNoPair};
  const std::vector<double> positives{1.5, infinity, -0.5, 2.0, 0.3, infinity};  // 2 × 3
  const std::vector<double> negatives{0.2, -1.0, 1.0, 3.0, -0.3, 0.1, 0.7, 0.0};
  const std::vector<float> weights{0.5F, 2.5F, 0.25F, 0.75F, 0.0F, 1.0F, 1.5F, 1.5F};
  const std::vector<float> of_pairs{0.5F, 1.0F, 0.5F, 0.25F, 2.0F, 1.0F};
  const auto loss = [&](const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (size_t i = 0; i < 2; ++i) {
      double others = 0;
      for (size_t k = 0; k < 4; ++k) others += double{weights[4 * i + k]} * std::exp(b[4 * i + k]);
      for (size_t j = 0; j < 3; ++j) {
        sum += double{of_pairs[3 * i + j]} * std::log1p(others * std::exp(-a[3 * i + j]));
      }
    }
    return sum;
  };
  std::vector<float> a(positives.begin(), positives.end());
  std::vector<float> b(negatives.begin(), negatives.end());
  const auto reweight = [&](float* all) { std::copy(weights.begin(), weights.end(), all); };
  BlockLoss::Scratch scratch;
  const Loss found = ranking_loss()->descend({a.data(), 3, of_pairs.data(), b.data(), 4, 2}, {},
                                             0.5F, reweight, scratch);
  CHECK(found.positive == doctest::Approx(loss(positives, negatives)).epsilon(1e-6));
  constexpr double kStep = 1e-5;
  for (size_t j = 0; j < a.size(); ++j) {
    std::vector<double> more = positives;
    more[j] += kStep;
    const double gradient = (loss(more, negatives) - loss(positives, negatives)) / kStep;
    CHECK(std::abs(double{a[j]} + 0.5 * gradient) < 1e-4);
  }
  for (size_t k = 0; k < b.size(); ++k) {
    std::vector<double> more = negatives;
    more[k] += kStep;
    const double gradient = (loss(positives, more) - loss(positives, negatives)) / kStep;
    CHECK(std::abs(double{b[k]} + 0.5 * gradient) < 1e-4);
  }
}

TEST_CASE("a candidate's ranking loss is that of the word's pairs with it as the only negative") {
  std::vector<float> a{1.5F, kNoPair, -0.5F, kNoPair, kNoPair, kNoPair};  // the second has no pair
  std::vector<float> b{0.2F, -1.0F, 40.0F, 1.0F, 2.0F, 3.0F};
  std::vector<float> losses(6, -1.0F);
  ranking_loss()->rewards({a.data(), 3, nullptr, b.data(), 3, 2}, losses.data());
  for (size_t k = 0; k < 3; ++k) {
    const double s = double{b[k]};
    const double wanted = (reference::softplus(s - 1.5) + reference::softplus(s + 0.5)) / 2;
    CHECK(double{losses[k]} == doctest::Approx(wanted).epsilon(1e-5));
    CHECK(losses[3 + k] == 0.0F);
  }
}

}  // namespace acevec
