// The six products of a block, with one interface for all precisions.
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/products.h"
#include "math/matrix.h"
#include "tasks/word/skip_gram.h"

namespace acevec {

// A block's rows: copies, or if these are null the rows `ids` of a matrix (see
// BlockProducts::gathers()).
struct BlockRows {
  const float* copies;
  const Matrix* matrix;
  const int32_t* ids;
  int64_t count;
};

// A block's rows, all of the same width, and its scores, which become gradients.
struct BlockView {
  BlockRows words;  // X
  BlockRows contexts;
  BlockRows negatives;  // Y

  // Positive pairs lie in a band around the diagonal, which is stored without the rest of the
  // matrix: word i and context j at band[i · (2 · window + 1) + j − i − shift + window]. Null: the
  // trainer scores positives itself, and `contexts` is unused.
  float* band;
  int64_t window;
  int64_t shift;  // index of the first word among the contexts, 0 .. window
  const Span* contexts_of_word;
  const Span* words_of_context;
  float* noise;  // S: words × negatives

  // The band's entries of word i and context j, at [i · stride + j].
  float* diagonals() const { return band + window - shift; }
  int64_t stride() const { return 2 * window; }
};

// For each row the sum of gradients times the rows it was scored with; as wide as the block's rows.
struct BlockChanges {
  float* words;
  float* contexts;
  float* negatives;
};

// One object per thread. For each block score(), then mix() of the same rows.
class BlockProducts {
 public:
  virtual ~BlockProducts() = default;

  // True if it reads rows from the matrices itself; otherwise they must be copied.
  virtual bool gathers() const { return false; }

  // Scores of the pairs in the spans, and of all words with all negatives.
  virtual void score(const BlockView& block) = 0;

  // Computes the changes from the gradients, which have replaced the scores and are 0 in the band
  // where there is no pair. May round the gradients. Without a band the words' changes are added to
  // the existing ones.
  virtual void mix(const BlockView& block, const BlockChanges& changes) = 0;
};

// For blocks of at most `shape`, with rows of `size` numbers. With ProductPrecision::kBfloat16 rows
// and gradients are rounded to bfloat16 and the sums are in float, by the processor's bfloat16
// instruction or, if it has none, by float instructions, which are no faster than without rounding.
std::unique_ptr<BlockProducts> make_products(const BlockShape& shape, int64_t size);

}  // namespace acevec
