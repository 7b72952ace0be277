// score_rows() and mix_rows() (kernels/products.h) for tables that are larger than the cache, in
// blocks that fit into it, which a team of threads may share. The result does not depend on the
// number of threads.
#pragma once

#include <cstdint>

#include "kernels/products.h"

namespace acevec {

// scores_ij = a_i · b_j.
void score_tables(RowBlock a, RowBlock b, int64_t width, FloatRows scores, int threads = 1);

// out_i = Σ_k weight(i, k) · b_k for i < rows; added to out_i when `add` is set.
void mix_tables(Weights weights, int64_t rows, RowBlock b, int64_t width, float* out,
                int threads = 1, bool add = true);

}  // namespace acevec
