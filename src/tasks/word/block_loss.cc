#include "tasks/word/block_loss.h"

#include <algorithm>

#include "base/error.h"
#include "kernels/logistic_loss.h"
#include "kernels/policy_kernels.h"

namespace acevec {
namespace {

// Positives from negatives, one by one: negative sampling and binary NCE.
class SeparableLoss : public BlockLoss {
 public:
  using BlockLoss::BlockLoss;

  Loss descend(const Scores& scores, const std::vector<float>& weights, float step,
               const Reweigh& reweigh, Scratch& /*scratch*/) const override {
    const double positive =
        logistic_loss_of_positives(scores.positives, scores.rows * scores.positive_count, step);
    // Rows with one positive each weigh the same, so they are one row.
    const bool one_row = scores.positive_count == 1;
    const int64_t rows = one_row ? 1 : scores.rows;
    const int64_t columns = one_row ? scores.rows * scores.negative_count : scores.negative_count;
    const double negative =
        logistic_loss_of_negatives(scores.negatives, rows, columns, weights.data(), step);
    if (reweigh) reweigh(scores.negatives);
    return {positive, negative, 0};
  }

  void rewards(const Scores& scores, float* losses) const override {
    negative_losses(scores.negatives, scores.rows * scores.negative_count, losses);
  }
};

// Each positive against all of the block's negatives at once.
class RankingLoss : public BlockLoss {
 public:
  using BlockLoss::BlockLoss;

  Loss descend(const Scores& scores, const std::vector<float>& /*weights*/, float step,
               const Reweigh& reweigh, Scratch& scratch) const override {
    scratch.sums.resize(static_cast<size_t>(scores.rows));
    if (reweigh) {
      scratch.weights.assign(static_cast<size_t>(scores.rows * scores.negative_count), 1.0F);
      reweigh(scratch.weights.data());
    }
    const float* const mixture = reweigh ? scratch.weights.data() : nullptr;
    return {rank_scores(scores, mixture, step, scratch.sums.data()), 0, 0};
  }

  void rewards(const Scores& scores, float* losses) const override {
    ranking_losses(scores, losses);
  }
};

}  // namespace

std::unique_ptr<BlockLoss> make_block_loss(LossKind kind, const std::vector<double>& noise,
                                           int64_t negatives_per_pair) {
  std::vector<float> corrections = loss_corrections(kind, noise, negatives_per_pair);
  switch (kind) {
    case LossKind::kNegativeSampling:
    case LossKind::kNce:
      return std::make_unique<SeparableLoss>(std::move(corrections));
    case LossKind::kRanking:
      return std::make_unique<RankingLoss>(std::move(corrections));
  }
  refuse_case("loss");
}

}  // namespace acevec
