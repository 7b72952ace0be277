// Negatives of single tokens, in addition to those that a block shares.
#pragma once

#include <cstdint>
#include <vector>

#include "math/aligned.h"
#include "math/matrix.h"
#include "tasks/word/block_adversary.h"

namespace acevec {

// One object per thread; it holds the thread's copies of their rows of U.
class OwnNegatives {
 public:
  // At most `most` negatives in a block. `contexts`: U.
  OwnNegatives(const Matrix& contexts, int64_t most);

  // Each draw has the weight weights[i]. Adds the steps of the
  // words, whose vectors are `words`, to `word_changes` and writes those of the negatives, a row
  // for each, to `changes`. Returns the loss before the step, Σ weight · −log σ(−v · u).
  double repel(const OwnDraws& draws, const std::vector<float>& weights, float step,
               const float* words, float* word_changes, float* changes);

 private:
  const Matrix& contexts_;
  int64_t width_;
  AlignedFloats rows_;
  AlignedFloats scores_;  // then their gradients
};

}  // namespace acevec
