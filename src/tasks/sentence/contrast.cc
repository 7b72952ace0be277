#include "tasks/sentence/contrast.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "kernels/policy_kernels.h"

namespace acevec {
ContrastSum pick_targets(const ScoreTable& table) {
  ContrastSum sum;
  std::vector<uint8_t> left_out(static_cast<size_t>(table.candidates));
  for (int64_t i = 0; i < table.rows; ++i) {
    float* const row = table.scores + i * table.candidates;
    const Mark* const mark = table.marks + i * table.candidates;
    const float* const weight =
        table.weights == nullptr ? nullptr : table.weights + i * table.candidates;
    double targets = 0, target_scores = 0;
    float best_target = 0, best = 0;
    int64_t kept = 0;
    for (int64_t j = 0; j < table.candidates; ++j) {
      const bool other = mark[j] == Mark::kOther;
      const bool out = mark[j] == Mark::kLeftOut || (other && weight != nullptr && weight[j] == 0);
      left_out[static_cast<size_t>(j)] = out ? 1 : 0;
      if (out) continue;
      if (other && weight != nullptr) row[j] += std::log(weight[j]);
      best = kept++ == 0 ? row[j] : std::max(best, row[j]);
      if (other) continue;
      best_target = targets++ == 0 ? row[j] : std::max(best_target, row[j]);
      target_scores += static_cast<double>(row[j]);
    }
    if (targets == 0 || static_cast<double>(kept) == targets) {
      std::fill_n(row, table.candidates, 0.0F);
      continue;
    }
    const auto share = static_cast<float>(1 / targets);
    const auto any = static_cast<double>(best);
    // log Σ exp(s) follows from the probability of the best: log p = s − log Σ exp(s).
    softmax_rows(row, 1, {left_out.data(), 1, table.candidates}, row, nullptr);
    const float most = *std::max_element(row, row + table.candidates);
    const double log_sum = any - std::log(static_cast<double>(most));
    for (int64_t j = 0; j < table.candidates; ++j) {
      if (mark[j] == Mark::kTarget) row[j] -= share;
    }
    sum.loss += log_sum - target_scores / targets;
    sum.hits += best_target >= best ? 1 : 0;
    ++sum.rows;
  }
  return sum;
}

void contrast_rewards(const ScoreTable& table, float* rewards) {
  std::vector<float> one(static_cast<size_t>(table.candidates));  // target's losses
  for (int64_t i = 0; i < table.rows; ++i) {
    const float* const scores = table.scores + i * table.candidates;
    const Mark* const mark = table.marks + i * table.candidates;
    float* const row = rewards + i * table.candidates;
    std::fill_n(row, table.candidates, 0.0F);
    const auto targets =
        static_cast<float>(std::count(mark, mark + table.candidates, Mark::kTarget));
    for (int64_t j = 0; j < table.candidates; ++j) {
      if (mark[j] != Mark::kTarget) continue;
      for (size_t k = 0; k < one.size(); ++k) one[k] = scores[k] - scores[j];
      negative_losses(one.data(), table.candidates, one.data());
      for (size_t k = 0; k < one.size(); ++k) row[k] += 1 / targets * one[k];
    }
  }
}

}  // namespace acevec
