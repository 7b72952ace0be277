#include "tasks/metric/negatives.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ace/policy.h"
#include "base/error.h"
#include "kernels/policy_kernels.h"

namespace acevec {
namespace {

// Pairs of keys are in the order in which mined negatives are chosen.
using Key = std::pair<bool, float>;

Key key_of(NegativeKind kind, float distance, float positive) {
  if (kind == NegativeKind::kUncertain) return {false, std::abs(distance - positive)};
  const bool nearer = kind == NegativeKind::kSemiHard && distance <= positive;
  return {nearer, nearer ? -distance : distance};
}

}  // namespace

void mark_same_class(const BatchDistances& batch, int64_t anchor, uint8_t* same) {
  const int32_t own = batch.classes[anchor];
  for (int64_t j = 0; j < batch.rows; ++j) same[j] = batch.classes[j] == own ? 1 : 0;
}

NegativeChoice::NegativeChoice(NegativeKind kind, float beta, int64_t most_rows)
    : kind_(kind),
      beta_(beta),
      g_(static_cast<size_t>(most_rows)),
      same_(static_cast<size_t>(most_rows)) {}

void NegativeChoice::choose(const BatchDistances& batch, int64_t count, Random& random,
                            int32_t* chosen) {
  std::fill_n(chosen, batch.rows * count, -1);
  for (int64_t i = 0; i < batch.rows; ++i) {
    int32_t* const own = chosen + i * count;
    const float* const squares = batch.squares + i * batch.rows;
    mark_same_class(batch, i, same_.data());
    switch (kind_) {
      case NegativeKind::kCritic:
        softmax_rows(squares, -beta_, {same_.data(), 1, batch.rows}, g_.data(), nullptr);
        draw_outcomes(g_.data(), batch.rows, count, random, own);
        break;
      case NegativeKind::kUniform:
        draw_others(batch.rows, count, random, own);
        break;
      case NegativeKind::kHardest:
      case NegativeKind::kSemiHard:
      case NegativeKind::kUncertain:
        mine(batch, i, count, own);
        break;
      case NegativeKind::kLearned:
        refuse_case("way to choose negatives");  // tasks/metric/adversary.h chooses
    }
  }
}

// The best by a rule, instead of draws.
void NegativeChoice::mine(const BatchDistances& batch, int64_t anchor, int64_t count,
                          int32_t* chosen) const {
  const float* const squares = batch.squares + anchor * batch.rows;
  std::vector<std::pair<Key, int32_t>> candidates;
  candidates.reserve(static_cast<size_t>(batch.rows));
  for (int64_t j = 0; j < batch.rows; ++j) {
    if (same_[static_cast<size_t>(j)] != 0) continue;
    candidates.emplace_back(key_of(kind_, squares[j], squares[batch.positives[anchor]]),
                            static_cast<int32_t>(j));
  }
  const int64_t some = std::min(count, std::ssize(candidates));
  std::partial_sort(candidates.begin(), candidates.begin() + some, candidates.end());
  for (int64_t k = 0; k < some; ++k) chosen[k] = candidates[static_cast<size_t>(k)].second;
}

void NegativeChoice::draw_others(int64_t rows, int64_t count, Random& random, int32_t* chosen) {
  others_.clear();
  for (int64_t j = 0; j < rows; ++j) {
    if (same_[static_cast<size_t>(j)] == 0) others_.push_back(static_cast<int32_t>(j));
  }
  if (others_.empty()) return;
  for (int64_t k = 0; k < count; ++k) {
    chosen[k] = others_[random.below(static_cast<uint32_t>(others_.size()))];
  }
}

}  // namespace acevec
