// The arithmetic of training, on blocks of rows.
#pragma once

#include <cstdint>

#include "math/aligned.h"

namespace acevec {

// Rows of `columns` numbers, padded with zeros to `stride` floats, a multiple of kRowPadding. The
// first row is 64-byte aligned. Vectors of padding only are neither read nor written.
struct RowWidth {
  constexpr RowWidth(int64_t width) : columns(width), stride(width) {}  // NOLINT: the usual case
  constexpr RowWidth(int64_t numbers, int64_t floats) : columns(numbers), stride(floats) {}

  int64_t columns;
  int64_t stride;
};

// Rows to read: `count` of them, `stride` numbers apart.
template <class Number>
struct RowsOf {
  const Number* data;
  int64_t stride;
  int64_t count = 0;  // unused where spans select the rows
};

// Contiguous rows to read.
struct RowBlock {
  const float* data;
  int64_t count;
};

// A table to write: number j of row i is data[i · stride + j].
struct FloatRows {
  float* data;
  int64_t stride;

  constexpr FloatRows from(int64_t i, int64_t j) const { return {data + i * stride + j, stride}; }
};

// scores_ij = a_i · b_j.
extern void (*const score_rows)(RowBlock a, RowBlock b, RowWidth width, FloatRows scores);

// columns[k · count + i] = rows_i[k] for i < count, k < width.columns: the transpose. `count` is a
// multiple of 4. mix_rows() of `columns` with weights a computes scores of many rows faster than
// score_rows(), since no sums run across a vector.
extern void (*const transpose_rows)(const float* rows, int64_t count, RowWidth width,
                                    float* columns);

// A matrix of weights within a larger array: weight(i,
// k) = data[i · row_stride + k · inner_stride]. Swapping the strides transposes it.
template <class Number>
struct WeightsOf {
  const Number* data;
  int64_t row_stride;
  int64_t inner_stride;

  constexpr WeightsOf from(int64_t i, int64_t k) const {
    return {data + i * row_stride + k * inner_stride, row_stride, inner_stride};
  }
};
using Weights = WeightsOf<float>;

// out_i = Σ_k weight(i, k) · b_k for i < rows; added to out_i if `add` is set.
extern void (*const mix_rows)(Weights weights, int64_t rows, RowBlock b, RowWidth width, float* out,
                              bool add);

// The rows of another block with which a row is paired: first .. last − 1.
struct Span {
  int32_t first;
  int32_t last;
};

// score_rows() and mix_rows() for a band of pairs instead of all pairs: scores_ij = a_i · b_j for j
// in spans[i]; other scores are unchanged.
extern void (*const score_band)(RowBlock a, const float* b, const Span* spans, RowWidth width,
                                FloatRows scores);

// out_i = Σ weight(i, k) · b_k over k in spans[i], for i < rows.
extern void (*const mix_band)(Weights weights, int64_t rows, const float* b, const Span* spans,
                              RowWidth width, float* out);

// a · b, and y += scale · x, for rows of `width` floats, a multiple of kRowPadding.
extern float (*const row_product)(const float* a, const float* b, int64_t width);
extern void (*const add_scaled)(const float* x, float scale, int64_t width, float* y);

// out_i += (Σ_k weights[i · columns + k]) · row, for i < rows. `width`: a multiple of kRowPadding.
extern void (*const add_by_sums)(const float* weights, int64_t rows, int64_t columns,
                                 const float* row, int64_t width, float* out);

}  // namespace acevec
