// The products of a softmax of one table's rows over another's: the scores, and what their
// gradients make of both tables, by a team of threads. With one interface for all precisions. The
// result does not depend on the number of threads.
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/bfloat16.h"
#include "kernels/products.h"

namespace acevec {

class TableProducts {
 public:
  // At most.
  struct Shape {
    int64_t a_rows, b_rows;
    int64_t width;   // floats in a row of either, a multiple of kRowPadding
    int64_t stride;  // and in a row of scores or weights, likewise
  };

  virtual ~TableProducts() = default;

  // scores_ij = a_i · b_j. Both tables must stay until mix() has returned.
  virtual void score(RowBlock a, RowBlock b, float* scores) = 0;

  // Of the tables that were scored last: a_changes_i += Σ_j w_ij b_j, and
  // b_changes_j += Σ_i w_ij a_i. `weights`: as the scores; those behind a row's end are finite.
  virtual void mix(const float* weights, float* a_changes, float* b_changes) = 0;
};

// With kBfloat16 by the processor's own products, where it has any, else in floats that are
// rounded before.
std::unique_ptr<TableProducts> make_table_products(ProductPrecision precision,
                                                   const TableProducts::Shape& shape, int threads);

// What one object needs.
int64_t table_products_bytes(ProductPrecision precision, const TableProducts::Shape& shape,
                             int threads);

}  // namespace acevec
