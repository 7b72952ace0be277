// Products of tables larger than the caches, by a team of threads, whose number changes no result.
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/bfloat16.h"
#include "kernels/products.h"
#include "math/matrix.h"

namespace acevec {

// score_rows() and mix_rows() (kernels/products.h), in blocks that fit in the caches.
//
// scores_ij = a_i · b_j.
void score_tables(RowBlock a, RowBlock b, int64_t width, FloatRows scores, int threads = 1);

// out_i = Σ_k weight(i, k) · b_k for i < rows, added to out_i if `add` is set.
void mix_tables(Weights weights, int64_t rows, RowBlock b, int64_t width, float* out,
                int threads = 1, bool add = true);

// The products of a softmax of one table's rows over another's: the scores, and both tables'
// changes from the gradients. One interface for all precisions.
class TableProducts {
 public:
  // The largest tables.
  struct Shape {
    int64_t a_rows, b_rows;
    int64_t width;   // floats in a row of either, a multiple of kRowPadding
    int64_t stride;  // floats in a row of scores or weights, likewise
  };

  // Rows of a matrix: those with these ids, or without ids the first ones.
  struct Picked {
    const Matrix& matrix;
    const int32_t* ids;
    int64_t count;
  };

  virtual ~TableProducts() = default;

  // scores_ij = a_i · b_j. Both tables must stay valid until mix() returns.
  virtual void score(RowBlock a, const Picked& b, float* scores) = 0;

  // For the last tables scored: a_changes_i = Σ_j w_ij b_j, and b_changes_j = Σ_i w_ij a_i, which
  // is added to b_changes_j if `add`. `weights`: laid out like the scores; padding must be finite.
  virtual void mix(const float* weights, float* a_changes, float* b_changes, bool add) = 0;
};

// kBfloat16 uses the processor's bfloat16 instructions if it has any, else rounds floats first.
std::unique_ptr<TableProducts> make_table_products(ProductPrecision precision,
                                                   const TableProducts::Shape& shape, int threads);

}  // namespace acevec
