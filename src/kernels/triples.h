// The arithmetic of scores of triples (h, r, t). Rows have `width` floats, padded with zeros.
#pragma once

#include <cstdint>

#include "math/aligned.h"

namespace acevec {

struct TripleRows {
  const float* head;
  const float* relation;
  const float* tail;
};

// TransE (without p) and TransD compute Σ |u_k| with u = h + r − t + m p.
struct Translation : TripleRows {
  const float* direction;  // p; may be null
  float move;              // m
};

// The signs of u, packed for add_signs() and sign_product() into sign_floats(width) floats: two
// bits per coordinate, so that another core fetches little.
constexpr int64_t sign_floats(int64_t width) {
  return width / 8 + 2;  // two bytes for as few as four coordinates, and room to read past them
}

// Returns Σ |u_k|, and writes the signs of u unless `signs` is null.
extern float (*const translation_length)(const Translation& rows, int64_t width, float* signs);

// out_k += scale · sign(u_k), where the sign of 0 is 0.
extern void (*const add_signs)(const float* signs, float scale, int64_t width, float* out);

// Σ sign(u_k) x_k.
extern float (*const sign_product)(const float* signs, const float* x, int64_t width);

// ComplEx and RotatE have rows of complex numbers, with alternating real and imaginary parts, as in
// numpy's complex64. tests/tasks/kg/score_test.cc checks the gradients.
//
// Whether the second factor of a product is conjugated.
enum class Factor { kPlain, kConjugate };

// out_k += scale · a_k b_k, or scale · a_k b̄_k.
extern void (*const add_complex_products)(const float* a, const float* b, Factor factor,
                                          float scale, int64_t width, float* out);

// out_k += z_k r_k / |r_k|, or z_k r̄_k / |r_k|; nothing where r_k = 0.
extern void (*const add_rotated)(const float* z, const float* relation, Factor factor,
                                 int64_t width, float* out);

// Returns Σ |z_k|³, and adds scale · its gradient, 3 |z| z, to `gradient`.
extern float (*const add_complex_cubes)(const float* z, float scale, int64_t width,
                                        float* gradient);

// Σ |u_k| with u = h r / |r| − t. `slopes`, 2 · width floats, may be null: ∂Σ|u_k|/∂h, then −∂/∂t,
// taken as 0 where |u_k| is not differentiable, and for r = 0.
extern float (*const rotation_distance)(const TripleRows& rows, int64_t width, float* slopes);

// Adds scale · ∂Σ|u_k|/∂r to `gradient`; `slopes`: −∂/∂t, the second half of rotation_distance()'s.
extern void (*const add_rotation_gradient)(const float* head, const float* relation,
                                           const float* slopes, float scale, int64_t width,
                                           float* gradient);

// Replaces products q · t_j in `row` by distances √(square + squares_j − 2 row_j) ≥ 0.001, where
// `square` is |q|² and squares_j |t_j|², and sets `inverses`, unless null, to their inverses.
extern void (*const distances_of_products)(float square, const float* squares, int64_t count,
                                           float* row, float* inverses);

// Points y_j, each with a shift c_j, j < count, for distances from one point to many. They are
// stored by coordinate: a register holds one coordinate of many points, and no sums run across it.
class Columns {
 public:
  // Room for `most` points of `size` coordinates, all 0.
  Columns(int64_t size, int64_t most)
      : size_(size), stride_(padded(most)), values_(size * stride_), shifts_(stride_) {}

  // Sets point j to the `size` floats at `point`, and its shift.
  void set(int64_t j, const float* point, float shift) {
    for (int64_t k = 0; k < size_; ++k) values_.data()[k * stride_ + j] = point[k];
    shifts_.data()[j] = shift;
  }

  int64_t size() const { return size_; }
  int64_t stride() const { return stride_; }  // from a coordinate to the next one
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

// out[j] = Σ_k √((query_2k − y_j,2k)² + (query_2k+1 − y_j,2k+1)²), for complex numbers with
// alternating real and imaginary parts. The size is even.
extern void (*const modulus_distances)(const float* query, const Columns& points, int64_t first,
                                       int64_t count, float* out);

}  // namespace acevec
