// The penalty of a pair that is out of order, and its gradient (ace-2018, section 4.2; Vendrov,
// Kiros, Fidler and Urtasun 2016).
//
// Coordinates grow downwards: y is above x when no coordinate of y exceeds that of x. Penalty
// E(x, y) = ‖max(0, y − x)‖², 0 for a pair in perfect order.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/products.h"

namespace acevec {

// E(x, y) of vectors of `width` floats, a multiple of kRowPadding (math/aligned.h).
extern float (*const order_penalty)(const float* x, const float* y, int64_t width);

// Adds scale · ∂E/∂x to x_gradient and scale · ∂E/∂y to y_gradient; either may be null.
extern void (*const add_penalty_gradient)(const float* x, const float* y, int64_t width,
                                          float scale, float* x_gradient, float* y_gradient);

// Rows of `stride` floats, of which the first `columns` count; any alignment.
struct VectorRows {
  const float* data;
  int64_t count;
  int64_t columns;
  int64_t stride;
};

// Which side of a pair is replaced; the other one, which is kept, is the condition.
enum class Replaced { kGeneral, kSpecific };

// The penalties of some conditions with many others, as a table: no product of matrices, but as
// regular as one. In row i and column j E(condition i, other j) when the general side is replaced,
// E(other j, condition i) when the specific one is.
extern void (*const penalty_table)(Replaced replaced, const VectorRows& conditions,
                                   const VectorRows& others, FloatRows table);

// The terms of the loss (Eq. 11): a true pair costs its penalty, a false one max(0, η − E), with
// the margin η. The slope with respect to E is +1 for positives; for negatives −1 where the loss is
// above 0, and 0 elsewhere.
inline float negative_loss(float penalty, float margin) {
  return std::max(0.0F, margin - penalty);
}

}  // namespace acevec
