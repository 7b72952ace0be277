#include "kernels/bags.h"

#include <cmath>

#include "math/matrix.h"

#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace acevec::HWY_NAMESPACE {

constexpr int64_t kAhead = 8;  // rows that are prefetched ahead

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

void MixSurroundings(const Surroundings& around, const float* sums, const float* shares,
                     int64_t width, float* out) {
  for (int64_t i = 0; i < around.tokens; ++i) {
    const float* const first = sums + around.spans[i].first * width;
    const float* const last = sums + around.spans[i].last * width;
    const float* const own = sums + (around.own + i) * width;
    const Vector share = hn::Set(kFloats, shares[i]);
    for (int64_t k = 0; k < width; k += kLanes) {
      const Vector all = hn::Sub(hn::Load(kFloats, last + k), hn::Load(kFloats, first + k));
      const Vector itself = hn::Sub(hn::Load(kFloats, own + width + k), hn::Load(kFloats, own + k));
      hn::Store(hn::Mul(share, hn::Sub(all, itself)), kFloats, out + i * width + k);
    }
  }
}

void SpreadToSurroundings(const Surroundings& around, const float* rows, float most, int64_t width,
                          float* shares, float* differences) {
  for (int64_t i = 0; i < around.tokens; ++i) {
    const float* const row = rows + i * width;
    const float square = shares[i] * shares[i] * Dot(row, row, width);
    if (square > most * most) shares[i] *= most / std::sqrt(square);
    const Vector share = hn::Set(kFloats, shares[i]);
    float* const first = differences + around.spans[i].first * width;
    float* const last = differences + around.spans[i].last * width;
    for (int64_t k = 0; k < width; k += kLanes) {
      const Vector part = hn::Load(kFloats, row + k);
      hn::Store(hn::MulAdd(share, part, hn::Load(kFloats, first + k)), kFloats, first + k);
      hn::Store(hn::NegMulAdd(share, part, hn::Load(kFloats, last + k)), kFloats, last + k);
    }
  }
}

}  // namespace acevec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace acevec {

ACEVEC_KERNEL(sum_bag, SumBag);
ACEVEC_KERNEL(mix_surroundings, MixSurroundings);
ACEVEC_KERNEL(spread_to_surroundings, SpreadToSurroundings);

}  // namespace acevec
#endif  // HWY_ONCE
