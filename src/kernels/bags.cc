#include "kernels/bags.h"

#include <algorithm>

#include "math/matrix.h"

#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace acevec::HWY_NAMESPACE {

constexpr int64_t kAhead = 8;  // rows for which the caches are asked early

HWY_INLINE const float* RowOf(BagRows rows, const float* values, int64_t i) {
  return values + rows.numbers[i] * rows.width;
}

void SumBag(BagRows rows, const float* values, const float* weights, float* out) {
  ForColumns(rows.width, [&](auto vectors, int64_t column) HWY_ATTR {
    constexpr int kVectors = vectors;
    Vector sums[kVectors];
#pragma GCC unroll 16
    for (Vector& sum : sums) sum = hn::Zero(kFloats);
    for (int64_t i = 0; i < rows.count; ++i) {
      if (column == 0 && i + kAhead < rows.count) {
        const float* const next = RowOf(rows, values, i + kAhead);
        for (int64_t k = 0; k < rows.width; k += kRowPadding) __builtin_prefetch(next + k);
      }
      const Vector weight = hn::Set(kFloats, weights[i]);
      const float* const row = RowOf(rows, values, i) + column;
#pragma GCC unroll 16
      for (int j = 0; j < kVectors; ++j) {
        sums[j] = hn::MulAdd(weight, hn::Load(kFloats, row + j * kLanes), sums[j]);
      }
    }
#pragma GCC unroll 16
    for (int j = 0; j < kVectors; ++j) hn::Store(sums[j], kFloats, out + column + j * kLanes);
  });
}

}  // namespace acevec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace acevec {

ACEVEC_KERNEL(sum_bag, SumBag);

}  // namespace acevec
#endif  // HWY_ONCE
