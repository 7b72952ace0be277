#include "kernels/bags.h"

#include <algorithm>

#include "math/matrix.h"

#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace acevec::HWY_NAMESPACE {

constexpr int64_t kAhead = 8;  // rows for which the caches are asked early

void SumBag(BagRows rows, const float* values, const float* weights, float* out) {
  ForColumns(rows.width, [&](auto vectors, int64_t column) HWY_ATTR {
    constexpr int kVectors = vectors;
    Vector sums[kVectors];
#pragma GCC unroll 16
    for (Vector& sum : sums) sum = hn::Zero(kFloats);
    for (int64_t i = 0; i < rows.count; ++i) {
      if (column == 0 && i + kAhead < rows.count) {
        const float* const next = values + rows.places[i + kAhead];
        for (int64_t k = 0; k < rows.width; k += kRowPadding) __builtin_prefetch(next + k);
      }
      const Vector weight = hn::Set(kFloats, weights[i]);
      const float* const row = values + rows.places[i] + column;
#pragma GCC unroll 16
      for (int j = 0; j < kVectors; ++j) {
        sums[j] = hn::MulAdd(weight, hn::Load(kFloats, row + j * kLanes), sums[j]);
      }
    }
#pragma GCC unroll 16
    for (int j = 0; j < kVectors; ++j) hn::Store(sums[j], kFloats, out + column + j * kLanes);
  });
}

void SpreadBag(BagRows rows, const float* values, const float* weights, const float* gradient,
               float* scores, float* changes) {
  for (int64_t i = 0; i < rows.count; ++i) {
    const float* const row = values + rows.places[i];
    float* const change = changes + rows.places[i];
    const Vector weight = hn::Set(kFloats, weights[i]);
    Vector sum = hn::Zero(kFloats);
    for (int64_t k = 0; k < rows.width; k += kLanes) {
      const Vector part = hn::Load(kFloats, gradient + k);
      sum = hn::MulAdd(part, hn::Load(kFloats, row + k), sum);
      hn::Store(hn::MulAdd(weight, part, hn::Load(kFloats, change + k)), kFloats, change + k);
    }
    scores[i] = Sum(sum);
  }
}

}  // namespace acevec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace acevec {

ACEVEC_KERNEL(sum_bag, SumBag);
ACEVEC_KERNEL(spread_bag, SpreadBag);

}  // namespace acevec
#endif  // HWY_ONCE
