// Picking the right candidates: from scores to losses and gradients, in place.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"

namespace acevec {

// What a candidate is to a sentence.
enum class Mark : uint8_t {
  kOther,    // to be told apart
  kTarget,   // to be picked
  kLeftOut,  // neither: the sentence itself
};

struct ContrastSum {
  double loss = 0;
  int64_t rows = 0;  // that have a target, and something to tell it from
  int64_t hits = 0;  // of them, whose best candidate is a target

  ContrastSum& operator+=(const ContrastSum& other) {
    loss += other.loss;
    rows += other.rows;
    hits += other.hits;
    return *this;
  }
};

// Rows of a table of scores that a thread takes together.
inline constexpr int64_t kRowsTogether = 8;

// Scores of rows with candidates, without gaps, which the functions below overwrite by their
// gradient. It is 0 in rows that have no target or no others.
struct ScoreTable {
  // Rows begin .. end − 1.
  ScoreTable part(int64_t begin, int64_t end) const {
    const int64_t first = begin * candidates;
    return {scores + first, marks + first, weights == nullptr ? nullptr : weights + first,
            end - begin, candidates};
  }

  float* scores;
  const Mark* marks;
  // What others count, ≥ 0, 1 in the mean of a row; of the rest of no matter. Null: all are 1.
  const float* weights;
  int64_t rows, candidates;
};

// Softmax over all candidates of a row but those left out, of which others count as their weights
// have it; the targets share the probability 1 evenly: loss −Σ_targets log p / targets, with the
// gradient p − 1/targets at a target. QuickThoughts as the post prints it puts a 0 in place of the
// score of the sentence itself, which leaves it probability; meant is a candidate less.
ContrastSum pick_targets(const ScoreTable& table);

// CURL's blocks (Arora et al. 2019): log(1 + exp(s⁻ − s⁺)), where s⁺ is the score of the mean of a
// row's targets, at most `block` of them, and s⁻ that of the mean of as many others: without
// weights such that follow each other, from a random one on, with weights such as are drawn by
// them. Since scores are linear in candidates these are means of scores. A hit is s⁺ > s⁻.
ContrastSum compare_blocks(const ScoreTable& table, int64_t block, Random& random);

// What each other candidate is worth to an adversary: the loss with it as the only other, 0 in rows
// without a target. rewards: rows × candidates.
void contrast_rewards(const ScoreTable& table, float* rewards);

}  // namespace acevec
