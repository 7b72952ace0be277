// Activations of layers and the gates of recurrent units, element by element, and their gradients,
// which tests/nn/ checks against finite differences.
//
// All arrays are aligned, their sizes multiples of kRowPadding.
#pragma once

#include <cstdint>

namespace acevec {

// values = tanh(values); gradients *= tanh' = 1 − y², of the outputs y.
extern void (*const tanh_rows)(float* values, int64_t size);
extern void (*const tanh_backward)(const float* outputs, int64_t size, float* gradients);

// values = max(0, values); gradients *= 1 where the output is above 0, else 0.
extern void (*const relu_rows)(float* values, int64_t size);
extern void (*const relu_backward)(const float* outputs, int64_t size, float* gradients);

// Takes one step of one sequence of a gated recurrent unit (Cho et al. 2014). `gates`: the terms of
// x in r, z and n, `width` floats each, which become r, z and n; `recurrent`: the terms of h; next:
// the new h.
extern void (*const gru_step)(float* gates, const float* recurrent, const float* h, int64_t width,
                              float* next);

// Goes back through the step: gates and recurrent become the gradients with respect to their terms,
// and `down`, dL/dh', becomes the part of dL/dh that is not through the product h U.
extern void (*const gru_step_backward)(float* gates, float* recurrent, const float* h,
                                       int64_t width, float* down);

}  // namespace acevec
