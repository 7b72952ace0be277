#include "tasks/word/loss.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "kernels/logistic_loss.h"
#include "kernels/policy_kernels.h"

namespace acevec {
namespace {

// log(factor · q) of each word.
std::vector<float> logarithms(const std::vector<double>& noise, double factor) {
  std::vector<float> logs;
  logs.reserve(noise.size());
  for (const double q : noise) logs.push_back(static_cast<float>(std::log(factor * q)));
  return logs;
}

// Each pair has a loss of its own: negative sampling and binary NCE.
class SeparableLoss : public BlockLoss {
 public:
  using BlockLoss::BlockLoss;

  Loss descend(const Scores& scores, const std::vector<float>& weights, float step,
               const Reweight& reweight, Scratch& /*scratch*/) const override {
    const double positive = logistic_loss_of_positives(
        scores.positives, scores.rows * scores.positive_count, scores.weights, step);
    // Rows with a single positive have equal weights, so they are treated as one row.
    const bool one_row = scores.positive_count == 1;
    const int64_t rows = one_row ? 1 : scores.rows;
    const int64_t columns = one_row ? scores.rows * scores.negative_count : scores.negative_count;
    const double negative =
        logistic_loss_of_negatives(scores.negatives, rows, columns, weights.data(), step);
    if (reweight) reweight(scores.negatives);
    return {positive, negative, 0};
  }

  void rewards(const Scores& scores, float* losses) const override {
    negative_losses(scores.negatives, scores.rows * scores.negative_count, losses);
  }
};

// Each positive of a row is ranked against all of the row's negatives. With the positive's score a
// and the negatives' scores b_k the loss is
//
//   −log( e^a / (e^a + Z) ) = −log σ(a − log Z),  Z = Σ_k w_k e^{b_k},
//
// where w are the adversary's weights, with a mean of 1 in each row; all 1 without an adversary.
class RankingLoss : public BlockLoss {
 public:
  using BlockLoss::BlockLoss;

  Loss descend(const Scores& scores, const std::vector<float>& /*weights*/, float step,
               const Reweight& reweight, Scratch& scratch) const override {
    if (reweight) {
      scratch.weights.assign(static_cast<size_t>(scores.rows * scores.negative_count), 1.0F);
      reweight(scratch.weights.data());
      float* score = scores.negatives;
      for (const float weight : scratch.weights) *score++ += std::log(weight);
    }
    scratch.sums.resize(static_cast<size_t>(scores.rows));
    softmax_scores(scores.negatives, scores.rows, scores.negative_count, scratch.sums.data());
    for (int64_t i = 0; i < scores.rows; ++i) {
      float* const row = scores.positives + i * scores.positive_count;
      const float log_z = scratch.sums[static_cast<size_t>(i)];
      for (int64_t j = 0; j < scores.positive_count; ++j) row[j] -= log_z;
    }
    const double loss = logistic_loss_of_positives(
        scores.positives, scores.rows * scores.positive_count, scores.weights, step);
    take_from_negatives(scores);
    return {loss, 0, 0};
  }

  // The loss with the candidate as the only negative, −log σ(a − b_k), averaged over the row's
  // positives.
  void rewards(const Scores& scores, float* losses) const override {
    const int64_t count = scores.negative_count;
    std::fill_n(losses, scores.rows * count, 0.0F);
    std::vector<float> one(static_cast<size_t>(count));  // losses of one positive
    for (int64_t i = 0; i < scores.rows; ++i) {
      const float* const positives = scores.positives + i * scores.positive_count;
      const auto pairs =
          scores.positive_count - std::count(positives, positives + scores.positive_count, kNoPair);
      for (int64_t j = 0; j < scores.positive_count; ++j) {
        if (positives[j] == kNoPair) continue;
        for (int64_t k = 0; k < count; ++k) {
          one[static_cast<size_t>(k)] = scores.negatives[i * count + k] - positives[j];
        }
        negative_losses(one.data(), count, one.data());
        for (int64_t k = 0; k < count; ++k) {
          losses[i * count + k] += one[static_cast<size_t>(k)] / static_cast<float>(pairs);
        }
      }
    }
  }

 private:
  // Distributes the negated sum of a row's positive gradients over its negatives, by their softmax.
  static void take_from_negatives(const Scores& scores) {
    for (int64_t i = 0; i < scores.rows; ++i) {
      const float* const positives = scores.positives + i * scores.positive_count;
      float* const row = scores.negatives + i * scores.negative_count;
      float taken = 0;
      for (int64_t j = 0; j < scores.positive_count; ++j) taken += positives[j];
      for (int64_t k = 0; k < scores.negative_count; ++k) row[k] *= -taken;
    }
  }
};

}  // namespace

std::unique_ptr<BlockLoss> make_block_loss(LossKind kind, const std::vector<double>& noise,
                                           int64_t negatives_per_pair) {
  switch (kind) {
    case LossKind::kNegativeSampling:
      return std::make_unique<SeparableLoss>(std::vector<float>{});
    case LossKind::kNce:
      return std::make_unique<SeparableLoss>(
          logarithms(noise, static_cast<double>(negatives_per_pair)));
    case LossKind::kRanking:
      return std::make_unique<RankingLoss>(logarithms(noise, 1));
  }
  refuse_case("loss");
}

}  // namespace acevec
