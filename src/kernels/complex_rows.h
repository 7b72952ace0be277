// Rows of complex numbers, real and imaginary parts by turns, as numpy's complex64 has them: what
// ComplEx and RotatE are made of. tests/tasks/kg/score_test.cc checks the gradients.
//
// Rows have `width` floats, a multiple of kRowPadding; padding is 0.
#pragma once

#include <cstdint>

#include "kernels/translation.h"

namespace acevec {

// Whether the second factor of a product is taken as it is or conjugated.
enum class Factor { kPlain, kConjugate };

// out_k += scale · a_k b_k, or scale · a_k b̄_k.
extern void (*const add_complex_products)(const float* a, const float* b, Factor factor,
                                          float scale, int64_t width, float* out);

// Re Σ h_k r_k t̄_k.
extern float (*const complex_triple_product)(const float* head, const float* relation,
                                             const float* tail, int64_t width);

// Σ |z_k|³, and adds scale · its slope, 3 |z| z, to gradient.
extern float (*const add_complex_cubes)(const float* z, float scale, int64_t width,
                                        float* gradient);

// Σ |u_k| of u = h r / |r| − t. The slopes, 2 · width floats, may be null: ∂Σ|u_k|/∂h, then −∂/∂t.
// Where |u_k| has no slope, and for r = 0, 0 is taken.
extern float (*const rotation_distance)(const TripleRows& rows, int64_t width, float* slopes);

// Adds scale · ∂Σ|u_k|/∂r to gradient; `slopes`: −∂/∂t, the second half of rotation_distance()'s.
extern void (*const add_rotation_gradient)(const float* head, const float* relation,
                                           const float* slopes, float scale, int64_t width,
                                           float* gradient);

}  // namespace acevec
