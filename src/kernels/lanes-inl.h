// The vectors that all kernels compute with: a register's floats, or fewer, but never more than
// kRowPadding, so that padded rows have a whole number of them. Included by .cc files only, after
// kernels/every_instruction_set.h.
//
// Highway compiles this file once for each instruction set; hence the guard that is its own
// opposite.
#if defined(ACEVEC_KERNELS_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ACEVEC_KERNELS_LANES_INL_H_
#undef ACEVEC_KERNELS_LANES_INL_H_
#else
#define ACEVEC_KERNELS_LANES_INL_H_
#endif

#include <hwy/highway.h>

#include "math/aligned.h"

HWY_BEFORE_NAMESPACE();
namespace acevec::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, kRowPadding>;
using Vector = hn::Vec<Floats>;
constexpr Floats kFloats;
constexpr int64_t kLanes = static_cast<int64_t>(hn::MaxLanes(kFloats));

HWY_INLINE float Sum(Vector v) {
  return hn::GetLane(hn::SumOfLanes(kFloats, v));
}

HWY_INLINE double SumLanes(Vector v) {
  return static_cast<double>(Sum(v));
}

// row[0 .. kLanes − 1] += change.
HWY_INLINE void Add(Vector change, float* row) {
  hn::StoreU(hn::Add(hn::LoadU(kFloats, row), change), kFloats, row);
}

}  // namespace acevec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
