#include "tasks/sentence/contrast.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/logistic_loss.h"
#include "kernels/policy_kernels.h"

namespace acevec {
namespace {

// Draws others by weight.
void draw_others(const float* weights, const Mark* marks, int64_t candidates, size_t count,
                 Random& random, std::vector<int64_t>& drawn) {
  double total = 0;
  for (int64_t j = 0; j < candidates; ++j) {
    if (marks[j] == Mark::kOther) total += static_cast<double>(weights[j]);
  }
  if (!(total > 0)) return;
  while (drawn.size() < count) {
    double left = static_cast<double>(random.uniform()) * total;
    int64_t last = -1;
    for (int64_t j = 0; j < candidates && left >= 0; ++j) {
      if (marks[j] != Mark::kOther || weights[j] == 0) continue;
      last = j;
      left -= static_cast<double>(weights[j]);
    }
    drawn.push_back(last);
  }
}

}  // namespace

Sums softmax_loss(const ScoreTable& table) {
  Sums sum{{}, {Mean{}}};
  std::vector<uint8_t> left_out(static_cast<size_t>(table.candidates));
  for (int64_t i = 0; i < table.rows; ++i) {
    float* const row = table.scores.from(i, 0).data;
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
    // log Σ exp(s) is computed from the best candidate's probability: log p = s − log Σ exp(s).
    softmax_rows(row, 1, {left_out.data(), 1, table.candidates}, row, nullptr);
    const float most = *std::max_element(row, row + table.candidates);
    const double log_sum = any - std::log(static_cast<double>(most));
    for (int64_t j = 0; j < table.candidates; ++j) {
      if (mark[j] == Mark::kTarget) row[j] -= share;
    }
    sum.loss += {log_sum - target_scores / targets, 1};
    sum.means[0] += {best_target >= best ? 1.0 : 0.0, 1};
  }
  return sum;
}

Sums block_loss(const ScoreTable& table, int64_t block, Random& random) {
  Sums sum{{}, {Mean{}}};
  std::vector<int64_t> positives, negatives;
  for (int64_t i = 0; i < table.rows; ++i) {
    float* const row = table.scores.from(i, 0).data;
    const Mark* const mark = table.marks + i * table.candidates;
    positives.clear();
    negatives.clear();
    const auto wanted = static_cast<size_t>(block);
    for (int64_t j = 0; j < table.candidates && positives.size() < wanted; ++j) {
      if (mark[j] == Mark::kTarget) positives.push_back(j);
    }
    if (table.weights == nullptr) {
      const int64_t first = random.below(static_cast<uint32_t>(table.candidates));
      for (int64_t k = 0; k < table.candidates && negatives.size() < positives.size(); ++k) {
        const int64_t j = (first + k) % table.candidates;
        if (mark[j] == Mark::kOther) negatives.push_back(j);
      }
    } else {
      draw_others(table.weights + i * table.candidates, mark, table.candidates, positives.size(),
                  random, negatives);
    }
    double difference = 0;  // s⁻ − s⁺
    const auto mean_score = [&](const std::vector<int64_t>& places) {
      double total = 0;
      for (const int64_t j : places) total += static_cast<double>(row[j]);
      return total / static_cast<double>(places.size());
    };
    const bool counts = !positives.empty() && !negatives.empty();
    if (counts) difference = mean_score(negatives) - mean_score(positives);
    std::fill_n(row, table.candidates, 0.0F);
    if (!counts) continue;
    const double slope = 1 / (1 + std::exp(-difference));
    for (const int64_t j : positives) {
      row[j] = static_cast<float>(-slope / static_cast<double>(positives.size()));
    }
    for (const int64_t j : negatives) {
      row[j] += static_cast<float>(slope / static_cast<double>(negatives.size()));
    }
    sum.loss += {softplus(difference), 1};
    sum.means[0] += {difference < 0 ? 1.0 : 0.0, 1};
  }
  return sum;
}

void contrast_rewards(const ScoreTable& table, float* rewards) {
  std::vector<float> one(static_cast<size_t>(table.candidates));  // losses of one target
  for (int64_t i = 0; i < table.rows; ++i) {
    const float* const scores = table.scores.from(i, 0).data;
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
