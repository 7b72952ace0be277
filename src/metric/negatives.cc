#include "metric/negatives.h"

#include <algorithm>
#include <cmath>

#include "ace/policy.h"
#include "ace/policy_kernels.h"

namespace acevec {

void mark_same_class(const BatchDistances& batch, int64_t anchor, uint8_t* same) {
  const int32_t own = batch.classes[anchor];
  for (int64_t j = 0; j < batch.rows; ++j) same[j] = batch.classes[j] == own ? 1 : 0;
}

NegativeChoice::NegativeChoice(NegativeKind kind, float beta, int64_t most_rows)
    : kind_(kind),
      beta_(beta),
      keys_(static_cast<size_t>(most_rows)),
      same_(static_cast<size_t>(most_rows)) {}

// The smaller, the sooner it is chosen.
float NegativeChoice::key(float square, float positive) const {
  constexpr float kBehind = 1e30F;  // all that is farther than the positive
  switch (kind_) {
    case NegativeKind::kSemiHard:
      return square > positive ? square : kBehind * (2 - square / std::max(positive, 1e-30F));
    case NegativeKind::kUncertain:
      return std::abs(square - positive);
    default:
      return square;
  }
}

void NegativeChoice::pick_best(const BatchDistances& batch, int64_t anchor, int64_t count,
                               int32_t* chosen) {
  const float* const squares = batch.squares + anchor * batch.rows;
  const float positive = squares[batch.positives[anchor]];
  for (const int32_t j : others_) keys_[static_cast<size_t>(j)] = key(squares[j], positive);
  const auto some = std::min(count, static_cast<int64_t>(others_.size()));
  std::partial_sort(others_.begin(), others_.begin() + some, others_.end(),
                    [&](int32_t a, int32_t b) {
                      const float x = keys_[static_cast<size_t>(a)];
                      const float y = keys_[static_cast<size_t>(b)];
                      return x != y ? x < y : a < b;
                    });
  std::copy_n(others_.begin(), some, chosen);
}

void NegativeChoice::choose(const BatchDistances& batch, int64_t count, Random& random,
                            int32_t* chosen) {
  std::fill_n(chosen, batch.rows * count, -1);
  for (int64_t i = 0; i < batch.rows; ++i) {
    int32_t* const own = chosen + i * count;
    if (kind_ == NegativeKind::kCritic) {
      mark_same_class(batch, i, same_.data());
      softmax_rows(batch.squares + i * batch.rows, -beta_, same_.data(), 1, batch.rows,
                   keys_.data(), nullptr);
      draw_outcomes(keys_.data(), batch.rows, count, random, own);
      continue;
    }
    others_.clear();
    for (int64_t j = 0; j < batch.rows; ++j) {
      if (batch.classes[j] != batch.classes[i]) others_.push_back(static_cast<int32_t>(j));
    }
    if (others_.empty()) continue;
    if (kind_ != NegativeKind::kUniform) {
      pick_best(batch, i, count, own);
      continue;
    }
    for (int64_t k = 0; k < count; ++k) {
      own[k] = others_[random.below(static_cast<uint32_t>(others_.size()))];
    }
  }
}

}  // namespace acevec
