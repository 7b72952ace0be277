#include "kernels/distances.h"

#include <algorithm>

#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace acevec::HWY_NAMESPACE {

// kVectors registers of points at once: as many sums that do not wait for each other.
template <bool kShifted, int kVectors>
HWY_INLINE void DistanceTile(const float* query, const float* direction, const Columns& points,
                             int64_t first, float* out) {
  Vector sums[kVectors];
  Vector shifts[kVectors];
#pragma GCC unroll 8
  for (int i = 0; i < kVectors; ++i) {
    sums[i] = hn::Zero(kFloats);
    shifts[i] = kShifted ? hn::Load(kFloats, points.shifts() + first + i * kLanes) : sums[i];
  }
  for (int64_t k = 0; k < points.size(); ++k) {
    const float* const column = points.coordinate(k) + first;
    const Vector q = hn::Set(kFloats, query[k]);
    const Vector p = kShifted ? hn::Set(kFloats, direction[k]) : q;
#pragma GCC unroll 8
    for (int i = 0; i < kVectors; ++i) {
      Vector difference = hn::Sub(q, hn::Load(kFloats, column + i * kLanes));
      if constexpr (kShifted) difference = hn::NegMulAdd(shifts[i], p, difference);
      sums[i] = hn::Add(sums[i], hn::Abs(difference));
    }
  }
#pragma GCC unroll 8
  for (int i = 0; i < kVectors; ++i) {
    hn::StoreU(sums[i], kFloats, out + i * kLanes);
  }
}

template <bool kShifted>
void Distances(const float* query, const float* direction, const Columns& points, int64_t first,
               int64_t count, float* out) {
  constexpr int kVectors = 4;
  int64_t j = 0;
  for (; j + kVectors * kLanes <= count; j += kVectors * kLanes) {
    DistanceTile<kShifted, kVectors>(query, direction, points, first + j, out + j);
  }
  for (; j < count; j += kLanes) {
    DistanceTile<kShifted, 1>(query, direction, points, first + j, out + j);
  }
}

void L1Distances(const float* query, const float* direction, const Columns& points, int64_t first,
                 int64_t count, float* out) {
  if (direction == nullptr) {
    Distances<false>(query, direction, points, first, count, out);
  } else {
    Distances<true>(query, direction, points, first, count, out);
  }
}

void ModulusDistances(const float* query, const Columns& points, int64_t first, int64_t count,
                      float* out) {
  for (int64_t j = 0; j < count; j += kLanes) {
    Vector sum = hn::Zero(kFloats);
    for (int64_t k = 0; k + 1 < points.size(); k += 2) {
      const Vector real =
          hn::Sub(hn::Set(kFloats, query[k]), hn::Load(kFloats, points.coordinate(k) + first + j));
      const Vector imaginary = hn::Sub(hn::Set(kFloats, query[k + 1]),
                                       hn::Load(kFloats, points.coordinate(k + 1) + first + j));
      sum = hn::Add(sum, hn::Sqrt(hn::MulAdd(imaginary, imaginary, hn::Mul(real, real))));
    }
    hn::StoreU(sum, kFloats, out + j);
  }
}

void NegativeProducts(const float* query, const Columns& points, int64_t first, int64_t count,
                      float* out) {
  for (int64_t j = 0; j < count; j += kLanes) {
    Vector sum = hn::Zero(kFloats);
    for (int64_t k = 0; k < points.size(); ++k) {
      sum = hn::NegMulAdd(hn::Set(kFloats, query[k]),
                          hn::Load(kFloats, points.coordinate(k) + first + j), sum);
    }
    hn::StoreU(sum, kFloats, out + j);
  }
}

}  // namespace acevec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace acevec {

ACEVEC_KERNEL(l1_distances, L1Distances);
ACEVEC_KERNEL(modulus_distances, ModulusDistances);
ACEVEC_KERNEL(negative_products, NegativeProducts);

Columns::Columns(int64_t size, int64_t most)
    : size_(size), stride_(padded(most)), values_(size * stride_), shifts_(stride_) {}

void Columns::set(int64_t j, const float* point, float shift) {
  for (int64_t k = 0; k < size_; ++k) values_.data()[k * stride_ + j] = point[k];
  shifts_.data()[j] = shift;
}
}  // namespace acevec
#endif  // HWY_ONCE
