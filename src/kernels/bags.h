// Sums of rows: of a bag of words, and around each token of a line.
#pragma once

#include <cstdint>

#include "kernels/products.h"

namespace acevec {

// Rows of `width` floats, aligned and padded as in kernels/products.h, at `numbers` in an array.
struct BagRows {
  const int32_t* numbers;
  int64_t count;
  int64_t width;
};

// out = Σ weights[i] · row i of `values`, `width` floats; zeros if there are no rows.
extern void (*const sum_bag)(BagRows rows, const float* values, const float* weights, float* out);

// For each token the rows around it: those of its span except its own, row own + i for token i.
// Their means, and the backward pass, take the same time however many rows there are.
struct Surroundings {
  const Span* spans;
  int64_t tokens;
  int64_t own;
};

// out_i = shares[i] · (the sum of the rows around token i), from the running sums of add_up_rows():
// sums[j] is the sum of the rows before j.
extern void (*const mix_surroundings)(const Surroundings& around, const float* sums,
                                      const float* shares, int64_t width, float* out);

// The backward pass, for add_running_sums(): adds shares[i] · rows_i to `differences` where token
// i's span begins, and subtracts it where the span ends. So the running sum of differences up to j,
// minus token j's own term, is what row j gets. Bounds terms to length `most`.
extern void (*const spread_to_surroundings)(const Surroundings& around, const float* rows,
                                            float most, int64_t width, float* shares,
                                            float* differences);

}  // namespace acevec
