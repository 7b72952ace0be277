// The losses of picking the right candidates: scores become gradients in place.
#pragma once

#include <cstdint>

#include "base/random.h"
#include "kernels/products.h"
#include "train/task.h"

namespace acevec {

// The relation of a candidate to a sentence.
enum class Mark : uint8_t {
  kOther,    // a negative
  kTarget,   // a positive
  kLeftOut,  // neither: the sentence itself
};

inline constexpr int64_t kRowsPerBlock = 8;  // rows of a table that a thread takes at once

// Scores of rows with candidates; marks and weights are contiguous. The functions below replace
// scores by their gradient, which is 0 in rows without a target or without others. They return the
// loss, and one mean, the share of hits: rows whose best candidate is a target. Both count only
// rows with a target and another candidate.
struct ScoreTable {
  // Rows begin .. end − 1.
  ScoreTable part(int64_t begin, int64_t end) const {
    const int64_t first = begin * candidates;
    return {scores.from(begin, 0), marks + first, weights == nullptr ? nullptr : weights + first,
            end - begin, candidates};
  }

  FloatRows scores;
  const Mark* marks;
  // Weights of the others, ≥ 0, with mean 1 in each row; other marks' are ignored. Null: all are 1.
  const float* weights;
  int64_t rows, candidates;
};

// Softmax over all candidates of a row that are not left out, with others weighted. The target
// distribution is uniform over the targets: the loss is −Σ_targets log p / targets, with the
// gradient p − 1/targets at a target. QuickThoughts, as published, sets the score of the sentence
// itself to 0, which leaves it some probability; here it is not a candidate.
Sums softmax_loss(const ScoreTable& table);

// CURL's blocks (Arora et al. 2019): log(1 + exp(s⁻ − s⁺)), where s⁺ is the score of the mean of a
// row's targets, at most `block` of them, and s⁻ that of the mean of as many others. Without
// weights these are consecutive from a random one on; with weights they are drawn by weight. Since
// scores are linear in candidates, both are means of scores. A hit is s⁺ > s⁻.
Sums block_loss(const ScoreTable& table, int64_t block, Random& random);

// An adversary's reward for each other candidate: the loss with it as the only other; 0 in rows
// without a target. rewards: rows × candidates.
void contrast_rewards(const ScoreTable& table, float* rewards);

}  // namespace acevec
