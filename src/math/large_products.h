// score_rows() and mix_rows() (kernels/products.h) for tables that are larger than the cache, in
// blocks that fit into it.
#pragma once

#include <cstdint>

#include "kernels/products.h"

namespace acevec {

// scores[i · score_stride + j] = a_i · b_j for i < a_rows, j < b_rows.
void score_tables(const float* a, int64_t a_rows, const float* b, int64_t b_rows, int64_t width,
                  float* scores, int64_t score_stride);

// out_i += Σ_k weight(i, k) · b_k for i < rows, k < inner.
void mix_tables(Weights weights, int64_t rows, const float* b, int64_t inner, int64_t width,
                float* out);

}  // namespace acevec
