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

// Softmax over all candidates of a row but those left out; the targets share the probability 1
// evenly: loss −Σ_targets log p / targets, with the gradient p − 1/targets at a target.
// QuickThoughts as the post prints it puts a 0 in place of the score of the sentence itself, which
// leaves it probability; meant is a candidate less.
//
// `scores`: rows × candidates without gaps, overwritten by the gradient, 0 in rows that have no
// target or no others.
ContrastSum pick_targets(float* scores, const std::vector<Mark>& marks, int64_t rows,
                         int64_t candidates);

// CURL's blocks (Arora et al. 2019): log(1 + exp(s⁻ − s⁺)), where s⁺ is the score of the mean of a
// row's targets, at most `block` of them, and s⁻ that of the mean of as many candidates that follow
// each other, from a random one on. Since scores are linear in candidates these are means of
// scores. The rest is as above; a hit is s⁺ > s⁻.
ContrastSum compare_blocks(float* scores, const std::vector<Mark>& marks, int64_t rows,
                           int64_t candidates, int64_t block, Random& random);

}  // namespace acevec
