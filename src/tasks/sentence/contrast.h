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
};

// Scores of rows with candidates, without gaps, which the functions below overwrite by their
// gradient. It is 0 in rows that have no target or no others.
struct ScoreTable {
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

// Each target against all others, but not against the other targets: −log of e^s⁺ / (e^s⁺ + Σ w
// e^s⁻), in the mean over a row's targets (ranking NCE with a noise that is the same for all).
ContrastSum rank_targets(const ScoreTable& table);

// Targets from others one by one: the mean of −log σ(s⁺ − c) over a row's targets, and `negatives`
// times the weighted mean of −log σ(c − s⁻) over its others. c = `correction` is 0 for negative
// sampling, log(negatives · q) for NCE with the noise q.
ContrastSum tell_targets(const ScoreTable& table, double negatives, double correction);

// CURL's blocks (Arora et al. 2019): log(1 + exp(s⁻ − s⁺)), where s⁺ is the score of the mean of a
// row's targets, at most `block` of them, and s⁻ that of the mean of as many others: without
// weights such that follow each other, from a random one on, with weights such as are drawn by
// them. Since scores are linear in candidates these are means of scores. A hit is s⁺ > s⁻.
ContrastSum compare_blocks(const ScoreTable& table, int64_t block, Random& random);

// Which of these, and how.
struct ContrastSettings {
  enum class Loss : uint8_t { kSoftmax, kRanking, kNegativeSampling, kNce };

  Loss loss = Loss::kSoftmax;
  int64_t block = 0;      // above 0: compare_blocks(), whatever the loss
  int64_t negatives = 5;  // of kNegativeSampling and kNce
  double noise = 0;       // q of kNce

  bool separable() const { return block == 0 && loss >= Loss::kNegativeSampling; }
};

ContrastSum contrast(const ContrastSettings& settings, const ScoreTable& table, Random& random);

// What each other candidate is worth to an adversary: the loss with it as the only other, 0 in rows
// without a target. rewards: rows × candidates.
void contrast_rewards(const ContrastSettings& settings, const ScoreTable& table, float* rewards);

}  // namespace acevec
