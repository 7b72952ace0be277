// The word side of a block: X, a row for each token, composed of rows of V, and its gradient.
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/products.h"
#include "math/aligned.h"
#include "math/matrix.h"
#include "optim/optimizer.h"
#include "optim/step_rows.h"
#include "tasks/word/block_products.h"
#include "tasks/word/composed_words.h"
#include "tasks/word/sequence.h"
#include "tasks/word/skip_gram.h"

namespace acevec {

// Longest step that one row may take in one block. Vectors are a few units long; at sound learning
// rates steps stay far below this. It is there for the rest: a frequent word may occur many times
// in one block, and the sum of its gradients, all taken from the same stale row, can overshoot and
// grow without bound.
inline constexpr float kMaxStep = 1.0F;

// Longest step of one token, where the steps of a row are added one by one: less, since a row may
// occur in a block several times.
inline constexpr float kMaxTokenStep = 0.25F;

// One object per thread. For each block gather(), then rows() are read and changes() written, then
// take().
class BlockInputs {
 public:
  // For blocks of at most shape.tokens tokens with contexts of at most shape.window, which touch at
  // most `most_rows` rows of V. Without `copies` the rows of X are read in V.
  BlockInputs(WordRows words, OptimizerKind optimizer, const BlockShape& shape, int64_t most_rows,
              bool copies);
  virtual ~BlockInputs() = default;

  // Composes X for tokens begin .. end − 1 of `sequence`.
  virtual void gather(const Sequence& sequence, int64_t begin, int64_t end) = 0;

  // X as gather() composed it.
  virtual BlockRows view() const = 0;

  // Prefetches the memory that gather() will read.
  virtual void prefetch(const Sequence& sequence, int64_t begin, int64_t end) const = 0;

  const float* rows() const { return copies_ ? rows_.data() : nullptr; }  // tokens × stride of V
  float* changes() { return changes_.data(); }                            // of X, the same shape

  // Adds the changes of X to the rows of V; overwrites them.
  virtual void take(float rate) = 0;

 protected:
  void prefetch_rows_of(const int32_t* ids, int64_t count) const;

  WordRows words_;
  RowSteps steps_;
  bool copies_;
  AlignedFloats rows_, changes_;  // X, where it is copied, and its changes
};

// Skip-gram's: a token's own row, copied if `copies`. CBOW's (shape.cbow): the mean of the rows of
// its context.
std::unique_ptr<BlockInputs> make_inputs(WordRows words, OptimizerKind optimizer,
                                         const BlockShape& shape, bool copies);

}  // namespace acevec
