#include "sentence/contrast.h"

#include <algorithm>
#include <cmath>

#include "ace/policy_kernels.h"

namespace acevec {
namespace {

double softplus(double x) {
  return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}

}  // namespace

ContrastSum pick_targets(float* scores, const std::vector<Mark>& marks, int64_t rows,
                         int64_t candidates) {
  ContrastSum sum;
  std::vector<uint8_t> left_out(static_cast<size_t>(candidates));
  for (int64_t i = 0; i < rows; ++i) {
    float* const row = scores + i * candidates;
    const Mark* const mark = marks.data() + i * candidates;
    double targets = 0, target_scores = 0;
    float best_target = 0, best = 0;
    int64_t kept = 0;
    for (int64_t j = 0; j < candidates; ++j) {
      left_out[static_cast<size_t>(j)] = mark[j] == Mark::kLeftOut ? 1 : 0;
      if (mark[j] == Mark::kLeftOut) continue;
      best = kept++ == 0 ? row[j] : std::max(best, row[j]);
      if (mark[j] != Mark::kTarget) continue;
      best_target = targets++ == 0 ? row[j] : std::max(best_target, row[j]);
      target_scores += static_cast<double>(row[j]);
    }
    if (targets == 0 || static_cast<double>(kept) == targets) {
      std::fill_n(row, candidates, 0.0F);
      continue;
    }
    const auto share = static_cast<float>(1 / targets);
    const auto any = static_cast<double>(best);
    // log Σ exp(s) follows from the probability of the best: log p = s − log Σ exp(s).
    softmax_rows(row, 1, left_out.data(), 1, candidates, row, nullptr);
    const float most = *std::max_element(row, row + candidates);
    const double log_sum = any - std::log(static_cast<double>(most));
    for (int64_t j = 0; j < candidates; ++j) {
      if (mark[j] == Mark::kTarget) row[j] -= share;
    }
    sum.loss += log_sum - target_scores / targets;
    sum.hits += best_target >= best ? 1 : 0;
    ++sum.rows;
  }
  return sum;
}

ContrastSum compare_blocks(float* scores, const std::vector<Mark>& marks, int64_t rows,
                           int64_t candidates, int64_t block, Random& random) {
  ContrastSum sum;
  std::vector<int64_t> positives, negatives;
  for (int64_t i = 0; i < rows; ++i) {
    float* const row = scores + i * candidates;
    const Mark* const mark = marks.data() + i * candidates;
    positives.clear();
    negatives.clear();
    const auto wanted = static_cast<size_t>(block);
    for (int64_t j = 0; j < candidates && positives.size() < wanted; ++j) {
      if (mark[j] == Mark::kTarget) positives.push_back(j);
    }
    const int64_t first = random.below(static_cast<uint32_t>(candidates));
    for (int64_t k = 0; k < candidates && negatives.size() < positives.size(); ++k) {
      const int64_t j = (first + k) % candidates;
      if (mark[j] == Mark::kOther) negatives.push_back(j);
    }
    double difference = 0;  // s⁻ − s⁺
    const auto mean_score = [&](const std::vector<int64_t>& places) {
      double total = 0;
      for (const int64_t j : places) total += static_cast<double>(row[j]);
      return total / static_cast<double>(places.size());
    };
    const bool counts = !positives.empty() && !negatives.empty();
    if (counts) difference = mean_score(negatives) - mean_score(positives);
    std::fill_n(row, candidates, 0.0F);
    if (!counts) continue;
    const double slope = 1 / (1 + std::exp(-difference));
    for (const int64_t j : positives) {
      row[j] = static_cast<float>(-slope / static_cast<double>(positives.size()));
    }
    for (const int64_t j : negatives) {
      row[j] = static_cast<float>(slope / static_cast<double>(negatives.size()));
    }
    sum.loss += softplus(difference);
    sum.hits += difference < 0 ? 1 : 0;
    ++sum.rows;
  }
  return sum;
}

}  // namespace acevec
