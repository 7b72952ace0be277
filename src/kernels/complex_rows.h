// Rows of complex numbers, real and imaginary parts by turns, as numpy's complex64 has them: what
// ComplEx and RotatE are made of. Compiled for every instruction set; tests/tasks/kg/score_test.cc
// checks each.
//
// Rows have `width` floats, a multiple of kRowPadding; padding is 0.
#pragma once

#include <cstdint>

#include "kernels/translation.h"

namespace acevec {

// Whether the second factor of a product is taken as it is or conjugated.
enum class Factor { kPlain, kConjugate };

// out_k += scale · a_k b_k, or scale · a_k b̄_k.
void add_complex_products(const float* a, const float* b, Factor factor, float scale, int64_t width,
                          float* out);

// Re Σ h_k r_k t̄_k.
float complex_triple_product(const float* head, const float* relation, const float* tail,
                             int64_t width);

// Σ |z_k|³, and adds scale · its slope, 3 |z| z, to gradient.
float add_complex_cubes(const float* z, float scale, int64_t width, float* gradient);

// ‖u‖ of u = h r / |r| − t: kL1, Σ |u_k|; kL2, √Σ |u_k|².
float rotation_distance(Norm norm, const float* head, const float* relation, const float* tail,
                        int64_t width);

// Adds scale · ∂‖u‖/∂h to gradients.head, and so on. Where ‖u‖ has no slope, and for r = 0, 0 is
// taken.
void add_rotation_gradient(Norm norm, const TripleRows& rows, int64_t width, float scale,
                           const TripleGradients& gradients);

}  // namespace acevec
