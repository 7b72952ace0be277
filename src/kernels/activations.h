// Activations of layers and gates of recurrent units, elementwise, and their gradients.
//
// All arrays are aligned; their sizes are multiples of kRowPadding.
#pragma once

#include <cstdint>

namespace acevec {

// values = tanh(values); gradients *= tanh' = 1 − y², given the outputs y.
extern void (*const tanh_rows)(float* values, int64_t size);
extern void (*const tanh_backward)(const float* outputs, int64_t size, float* gradients);

// values = max(0, values); gradients *= 1 if the output is above 0, else 0.
extern void (*const relu_rows)(float* values, int64_t size);
extern void (*const relu_backward)(const float* outputs, int64_t size, float* gradients);

// A step of one sequence of a gated recurrent unit (Cho et al. 2014). `gates`: the terms of x in r,
// z and n, `width` floats each; replaced by these. `recurrent`: the terms of h. `next`: the new h.
extern void (*const gru_step)(float* gates, const float* recurrent, const float* h, int64_t width,
                              float* next);

// Backpropagates through the step: replaces `gates` and `recurrent` by their terms' gradients, and
// `h_gradient`, dL/dh', by the part of dL/dh that does not come through the product h U.
extern void (*const gru_step_backward)(float* gates, float* recurrent, const float* h,
                                       int64_t width, float* h_gradient);

}  // namespace acevec
