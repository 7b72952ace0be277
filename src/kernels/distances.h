// From one point to many: sums over coordinates that are no dot products.
//
// The many points lie in columns, so that a vector register holds one coordinate of many points and
// nothing has to be summed across a register.
#pragma once

#include <cstdint>

#include "math/aligned.h"

namespace acevec {

// Points y_j with a shift c_j each, j < count.
class Columns {
 public:
  // Room for `most` points of `size` coordinates, all 0.
  Columns(int64_t size, int64_t most);

  // Point j becomes `size` floats from `point` on, and its shift `shift`.
  void set(int64_t j, const float* point, float shift);

  int64_t size() const { return size_; }
  int64_t stride() const { return stride_; }  // floats from a coordinate to the next
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

// out[j] = −Σ_k query_k y_jk.
extern void (*const negative_products)(const float* query, const Columns& points, int64_t first,
                                       int64_t count, float* out);

}  // namespace acevec
