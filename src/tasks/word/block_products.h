// The six products of a block, with one interface for all precisions.
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/products.h"
#include "math/matrix.h"
#include "tasks/word/skip_gram.h"

namespace acevec {

// Rows that a block works on: copies, or where they are null the rows `ids` of a matrix, as
// BlockProducts::gathers() has it.
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
  // trainer scores its positives itself, and contexts are none of this.
  float* band;
  int64_t window;
  int64_t shift;  // the context at place 0 of the first word, 0 .. window
  const Span* contexts_of_word;
  const Span* words_of_context;
  float* noise;  // S: words × negatives

  // The band's entries of word i and context j, at [i · stride + j].
  float* diagonals() const { return band + window - shift; }
  int64_t stride() const { return 2 * window; }
};

// Sums of the gradients times the rows that the scores are of: rows as wide as the block's.
struct BlockChanges {
  float* words;
  float* contexts;
  float* negatives;
};

// One object per thread. For each block score(), then mix() of the same rows.
class BlockProducts {
 public:
  virtual ~BlockProducts() = default;

  // Takes rows from the matrices itself; else they must have been copied.
  virtual bool gathers() const { return false; }

  // Scores of the pairs in the spans, and of all words with all negatives.
  virtual void score(const BlockView& block) = 0;

  // Gradients where the scores were; 0 in the band where there is no pair. May round them. Without
  // a band the words' changes are added to what is there.
  virtual void mix(const BlockView& block, const BlockChanges& changes) = 0;
};

// For blocks of at most that shape, of rows of `size` numbers. With ProductPrecision::kBfloat16
// rows and gradients are rounded to bfloat16 and the sums are of floats, by the machine's
// instruction or, where it has none, by those of float: then nothing is gained.
std::unique_ptr<BlockProducts> make_products(const BlockShape& shape, int64_t size);

}  // namespace acevec
