// Weighted sums of rows from anywhere in an array: the work of a bag of words.
#pragma once

#include <cstdint>

namespace acevec {

// Rows of `width` floats, aligned and padded as in kernels/products.h; the
// numbers are their places in an array of rows.
struct BagRows {
  const int32_t* numbers;
  int64_t count;
  int64_t width;
};

// out = Σ weights[i] · row i of `values`, `width` floats; zeros if there are no rows.
extern void (*const sum_bag)(BagRows rows, const float* values, const float* weights, float* out);

}  // namespace acevec
