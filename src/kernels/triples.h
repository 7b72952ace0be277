// The arithmetic of scores of triples (h, r, t). Rows have `width` floats, a multiple of
// kRowPadding; padding is 0.
#pragma once

#include <cstdint>

#include "math/aligned.h"

namespace acevec {

struct TripleRows {
  const float* head;
  const float* relation;
  const float* tail;
};

// TransE (without p) and TransD measure Σ |u_k| of u = h + r − t + m p.
struct Translation : TripleRows {
  const float* direction;  // p; null for none
  float move;              // m
};

// The signs of u, packed for add_signs() and sign_product() into sign_floats(width) floats of
// memory. Two bits for each coordinate are little for another core to fetch.
constexpr int64_t sign_floats(int64_t width) {
  return width / 8 + 2;  // two bytes for as few as four coordinates, and what is read behind them
}

// Σ |u_k|, and the signs of u unless they are null.
extern float (*const translation_length)(const Translation& rows, int64_t width, float* signs);

// out_k += scale · sign(u_k), where the sign of 0 is 0.
extern void (*const add_signs)(const float* signs, float scale, int64_t width, float* out);

// Σ sign(u_k) x_k.
extern float (*const sign_product)(const float* signs, const float* x, int64_t width);

// ComplEx and RotatE have rows of complex numbers, real and imaginary parts by turns, as numpy's
// complex64 has them. tests/tasks/kg/score_test.cc checks the gradients.
//
// Whether the second factor of a product is taken as it is or conjugated.
enum class Factor { kPlain, kConjugate };

// out_k += scale · a_k b_k, or scale · a_k b̄_k.
extern void (*const add_complex_products)(const float* a, const float* b, Factor factor,
                                          float scale, int64_t width, float* out);

// out_k += z_k r_k / |r_k|, or z_k r̄_k / |r_k|; nothing where r_k = 0.
extern void (*const add_turned)(const float* z, const float* relation, Factor factor, int64_t width,
                                float* out);

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

// Turns products q · t_j in `row` into distances √(square + squares_j − 2 row_j), where `square` is
// |q|² and squares_j |t_j|², and fills `inverses`, unless it is null, with one over them. No
// distance is below 0.001.
extern void (*const distances_of_products)(float square, const float* squares, int64_t count,
                                           float* row, float* inverses);

// Points y_j with a shift c_j each, j < count, for distances from one point to many. They lie in
// columns, so that a vector register holds one coordinate of many points and nothing has to be
// summed across a register.
class Columns {
 public:
  // Room for `most` points of `size` coordinates, all 0.
  Columns(int64_t size, int64_t most);

  // Point j becomes `size` floats from `point` on, and its shift `shift`.
  void set(int64_t j, const float* point, float shift);

  int64_t size() const { return size_; }
  const float* coordinate(int64_t k) const { return values_.data() + k * stride_; }
  const float* shifts() const { return shifts_.data(); }

 private:
  int64_t size_, stride_;
  AlignedFloats values_, shifts_;
};

// out[j] = Σ_k |query_k − y_jk − c_j direction_k| for first ≤ j < first + count; `first` is a
// multiple of kRowPadding. `direction` may be null, for 0. `out` has room for padded(count) floats.
extern void (*const l1_distances)(const float* query, const float* direction, const Columns& points,
                                  int64_t first, int64_t count, float* out);

// out[j] = Σ_k √((query_2k − y_j,2k)² + (query_2k+1 − y_j,2k+1)²): of complex numbers, real and
// imaginary parts by turns. The size is even.
extern void (*const modulus_distances)(const float* query, const Columns& points, int64_t first,
                                       int64_t count, float* out);

}  // namespace acevec
