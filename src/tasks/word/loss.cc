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

}  // namespace

std::vector<float> loss_corrections(LossKind kind, const std::vector<double>& noise,
                                    int64_t negatives_per_pair) {
  switch (kind) {
    case LossKind::kNegativeSampling:
      return {};
    case LossKind::kNce:
      return logarithms(noise, static_cast<double>(negatives_per_pair));
    case LossKind::kRanking:
      return logarithms(noise, 1);
  }
  refuse_case("loss");
}

double rank_scores(const Scores& scores, const float* weights, float step, float* log_sums) {
  if (weights != nullptr) {
    for (int64_t i = 0; i < scores.rows * scores.negative_count; ++i) {
      scores.negatives[i] += std::log(weights[i]);
    }
  }
  softmax_scores(scores.negatives, scores.rows, scores.negative_count, log_sums);
  for (int64_t i = 0; i < scores.rows; ++i) {
    float* const row = scores.positives + i * scores.positive_count;
    for (int64_t j = 0; j < scores.positive_count; ++j) row[j] -= log_sums[i];
  }
  const double loss =
      logistic_loss_of_positives(scores.positives, scores.rows * scores.positive_count, step);
  // What a pair adds to its positive it takes from its negatives, from each its share.
  for (int64_t i = 0; i < scores.rows; ++i) {
    const float* const positives = scores.positives + i * scores.positive_count;
    float* const row = scores.negatives + i * scores.negative_count;
    float taken = 0;
    for (int64_t j = 0; j < scores.positive_count; ++j) taken += positives[j];
    for (int64_t k = 0; k < scores.negative_count; ++k) row[k] *= -taken;
  }
  return loss;
}

void ranking_losses(const Scores& scores, float* losses) {
  const int64_t count = scores.negative_count;
  std::fill_n(losses, scores.rows * count, 0.0F);
  std::vector<float> one(static_cast<size_t>(count));  // positive's losses
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

}  // namespace acevec
