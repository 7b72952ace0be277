// Weighted sums of rows from anywhere in an array, and the way back: the work of a bag of words.
#pragma once

#include <cstdint>

namespace acevec {

// Rows of `width` floats, aligned and padded as in kernels/products.h; row i begins at
// array[places[i]].
struct BagRows {
  const int64_t* places;
  int64_t count;
  int64_t width;
};

// out = Σ weights[i] · row i of `values`, `width` floats; zeros if there are no rows.
extern void (*const sum_bag)(BagRows rows, const float* values, const float* weights, float* out);

// The way back of sum_bag(), from the gradient of its result: scores[i] = gradient · row i of
// `values`, and row i of `changes` gets weights[i] · gradient added. A row may occur twice.
extern void (*const spread_bag)(BagRows rows, const float* values, const float* weights,
                                const float* gradient, float* scores, float* changes);

}  // namespace acevec
