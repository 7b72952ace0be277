#include "tasks/sentence/contrast.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "kernels/policy_kernels.h"

namespace acevec {
namespace {

double softplus(double x) {
  return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}

double sigmoid(double x) {
  return x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x));
}

// One row of a table, and what is where in it.
struct Row {
  float* scores;
  const float* weights;  // may be null
  std::vector<int64_t> targets, others;

  double weight(int64_t j) const {
    return weights == nullptr ? 1 : static_cast<double>(weights[j]);
  }
  double score(int64_t j) const { return static_cast<double>(scores[j]); }
  double best(const std::vector<int64_t>& places) const {
    double most = -std::numeric_limits<double>::infinity();
    for (const int64_t j : places) most = std::max(most, score(j));
    return most;
  }
};

// Calls loss_of(row), which leaves gradients in the places of targets and others, for each row that
// has both. The gradient of all else becomes 0.
template <class LossOf>
ContrastSum for_each_row(const ScoreTable& table, LossOf&& loss_of) {
  ContrastSum sum;
  Row row{};
  std::vector<float> gradient(static_cast<size_t>(table.candidates));
  for (int64_t i = 0; i < table.rows; ++i) {
    const int64_t begin = i * table.candidates;
    row.scores = table.scores + begin;
    row.weights = table.weights == nullptr ? nullptr : table.weights + begin;
    row.targets.clear();
    row.others.clear();
    for (int64_t j = 0; j < table.candidates; ++j) {
      const Mark mark = table.marks[begin + j];
      if (mark == Mark::kTarget) row.targets.push_back(j);
      if (mark == Mark::kOther && row.weight(j) > 0) row.others.push_back(j);
      if (mark == Mark::kLeftOut || (mark == Mark::kOther && row.weight(j) == 0)) row.scores[j] = 0;
    }
    if (row.targets.empty() || row.others.empty()) {
      std::fill_n(row.scores, table.candidates, 0.0F);
      continue;
    }
    ++sum.rows;
    sum.hits += row.best(row.targets) >= row.best(row.others) ? 1 : 0;
    sum.loss += loss_of(row);
  }
  return sum;
}

// log Σ w e^s over the others, which get their shares of that sum.
double share_others(Row& row) {
  const double best = row.best(row.others);
  double total = 0;
  for (const int64_t j : row.others) total += row.weight(j) * std::exp(row.score(j) - best);
  for (const int64_t j : row.others) {
    row.scores[j] = static_cast<float>(row.weight(j) * std::exp(row.score(j) - best) / total);
  }
  return best + std::log(total);
}

// Draws of others by their weights.
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

ContrastSum rank_targets(const ScoreTable& table) {
  return for_each_row(table, [](Row& row) {
    const double log_sum = share_others(row);
    const auto targets = static_cast<double>(row.targets.size());
    double loss = 0, slopes = 0;
    for (const int64_t j : row.targets) {
      const double behind = log_sum - row.score(j);
      loss += softplus(behind) / targets;
      const double slope = sigmoid(behind) / targets;
      slopes += slope;
      row.scores[j] = static_cast<float>(-slope);
    }
    for (const int64_t j : row.others) row.scores[j] *= static_cast<float>(slopes);
    return loss;
  });
}

ContrastSum tell_targets(const ScoreTable& table, double negatives, double correction) {
  return for_each_row(table, [&](Row& row) {
    const auto targets = static_cast<double>(row.targets.size());
    const double share = negatives / static_cast<double>(row.others.size());
    double loss = 0;
    for (const int64_t j : row.targets) {
      const double behind = correction - row.score(j);
      loss += softplus(behind) / targets;
      row.scores[j] = static_cast<float>(-sigmoid(behind) / targets);
    }
    for (const int64_t j : row.others) {
      const double ahead = row.score(j) - correction;
      loss += share * row.weight(j) * softplus(ahead);
      row.scores[j] = static_cast<float>(share * row.weight(j) * sigmoid(ahead));
    }
    return loss;
  });
}

ContrastSum compare_blocks(const ScoreTable& table, int64_t block, Random& random) {
  ContrastSum sum;
  std::vector<int64_t> positives, negatives;
  for (int64_t i = 0; i < table.rows; ++i) {
    float* const row = table.scores + i * table.candidates;
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
    sum.loss += softplus(difference);
    sum.hits += difference < 0 ? 1 : 0;
    ++sum.rows;
  }
  return sum;
}

namespace {

// log(negatives · q), by which NCE's scores become log p.
double correction_of(const ContrastSettings& settings) {
  return std::log(static_cast<double>(settings.negatives) * settings.noise);
}

}  // namespace

ContrastSum contrast(const ContrastSettings& settings, const ScoreTable& table, Random& random) {
  if (settings.block > 0) return compare_blocks(table, settings.block, random);
  const auto negatives = static_cast<double>(settings.negatives);
  switch (settings.loss) {
    case ContrastSettings::Loss::kSoftmax:
      return pick_targets(table);
    case ContrastSettings::Loss::kRanking:
      return rank_targets(table);
    case ContrastSettings::Loss::kNegativeSampling:
      return tell_targets(table, negatives, 0);
    case ContrastSettings::Loss::kNce:
      return tell_targets(table, negatives, correction_of(settings));
  }
  refuse_case("loss");
}

void contrast_rewards(const ContrastSettings& settings, const ScoreTable& table, float* rewards) {
  const bool nce = settings.separable() && settings.loss == ContrastSettings::Loss::kNce;
  const float correction = nce ? static_cast<float>(correction_of(settings)) : 0.0F;
  std::vector<float> one(static_cast<size_t>(table.candidates));  // target's losses
  for (int64_t i = 0; i < table.rows; ++i) {
    const float* const scores = table.scores + i * table.candidates;
    const Mark* const mark = table.marks + i * table.candidates;
    float* const row = rewards + i * table.candidates;
    std::fill_n(row, table.candidates, 0.0F);
    const auto targets =
        static_cast<float>(std::count(mark, mark + table.candidates, Mark::kTarget));
    const auto add = [&](float against, float share) {
      for (size_t k = 0; k < one.size(); ++k) one[k] = scores[k] - against;
      negative_losses(one.data(), table.candidates, one.data());
      for (size_t k = 0; k < one.size(); ++k) row[k] += share * one[k];
    };
    if (settings.separable()) {
      if (targets > 0) add(correction, 1);
      continue;
    }
    for (int64_t j = 0; j < table.candidates; ++j) {
      if (mark[j] == Mark::kTarget) add(scores[j], 1 / targets);
    }
  }
}

}  // namespace acevec
