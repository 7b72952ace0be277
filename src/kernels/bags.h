// Sums of rows: those of a bag of words, and those around each token of a line.
#pragma once

#include <cstdint>

#include "kernels/products.h"

namespace acevec {

// Rows of `width` floats, aligned and padded as in kernels/products.h; the numbers are their places
// in an array of rows.
struct BagRows {
  const int32_t* numbers;
  int64_t count;
  int64_t width;
};

// out = Σ weights[i] · row i of `values`, `width` floats; zeros if there are no rows.
extern void (*const sum_bag)(BagRows rows, const float* values, const float* weights, float* out);

// For each token the rows around it: those of its span but its own, which is row own + i of token
// i. Their means, and the way back, cost the same however many rows these are.
struct Surroundings {
  const Span* spans;
  int64_t tokens;
  int64_t own;
};

// out_i = shares[i] · (the sum of the rows around token i), from sums[j] = the sum of the rows
// before j, as add_up_rows() has it.
extern void (*const mix_surroundings)(const Surroundings& around, const float* sums,
                                      const float* shares, int64_t width, float* out);

// The way back, for add_running_sums(): shares[i] · rows_i is added to differences where token i's
// span begins, and subtracted where it ends. So the sum of differences until j, without what token
// j itself has spread, is what row j gets from all tokens that it is around of. Shares by which a
// row would be longer than `most` are lowered.
extern void (*const spread_to_surroundings)(const Surroundings& around, const float* rows,
                                            float most, int64_t width, float* shares,
                                            float* differences);

}  // namespace acevec
