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

// The longest step of one row in one block. Vectors are a few units long, and at sound learning
// rates steps are far shorter. The bound is for the other cases: a frequent word may occur many
// times in one block, and the sum of its gradients, all computed from the same stale row, can
// overshoot and diverge.
inline constexpr float kMaxStep = 1.0F;

// The longest step of one token, where a row's steps are added one by one: shorter, since a row may
// occur in a block several times.
inline constexpr float kMaxTokenStep = 0.25F;

// One object per thread. For each block call gather(), read rows() and write changes(), then call
// take().
class BlockInputs {
 public:
  // For blocks of at most shape.tokens tokens with contexts of at most shape.window, which touch at
  // most `most_rows` rows of V. Without `copies`, X is read directly from V.
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

  // Applies changes() to the rows of V, and overwrites them.
  virtual void take(float rate) = 0;

 protected:
  void prefetch_rows_of(const int32_t* ids, int64_t count) const;

  WordRows words_;
  RowSteps steps_;
  bool copies_;
  AlignedFloats rows_, changes_;  // X, if copied, and its changes
};

// With skip-gram X is the tokens' own rows, copied if `copies`; with CBOW (shape.cbow) it is the
// means of the contexts' rows.
std::unique_ptr<BlockInputs> make_inputs(WordRows words, OptimizerKind optimizer,
                                         const BlockShape& shape, bool copies);

}  // namespace acevec
