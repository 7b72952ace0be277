// The penalty of a pair that is out of order, and its gradient (ace-2018, section 4.2; Vendrov,
// Kiros, Fidler and Urtasun 2016).
//
// Coordinates increase downwards: y is above x if no coordinate of y exceeds that of x. The penalty
// is E(x, y) = ‖max(0, y − x)‖², 0 for a pair in perfect order.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/products.h"

namespace acevec {

// E(x, y) for vectors of `width` floats, a multiple of kRowPadding (math/aligned.h).
extern float (*const order_penalty)(const float* x, const float* y, int64_t width);

// Adds scale · ∂E/∂x to x_gradient and scale · ∂E/∂y to y_gradient; either may be null.
extern void (*const add_penalty_gradient)(const float* x, const float* y, int64_t width,
                                          float scale, float* x_gradient, float* y_gradient);

// The side of a pair that is replaced; the other one, which is kept, is the condition.
enum class Replaced { kGeneral, kSpecific };

// A table of the penalties of some conditions with many others, whose first `columns` floats count:
// as regular as a matrix product, but not one. Row i, column j is E(condition i, other j) if the
// general side is replaced, and E(other j, condition i) if the specific one is.
extern void (*const penalty_table)(Replaced replaced, RowsOf<float> conditions,
                                   RowsOf<float> others, int64_t columns, FloatRows table);

// The terms of the loss (Eq. 11): a true pair costs its penalty, a false one max(0, η − E), with
// the margin η. The derivative by E is 1 for a true pair, and −1 for a false one with a loss.
inline float negative_loss(float penalty, float margin) {
  return std::max(0.0F, margin - penalty);
}

}  // namespace acevec
