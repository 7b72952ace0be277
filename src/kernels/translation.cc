#include "kernels/translation.h"

#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace acevec::HWY_NAMESPACE {

// u at k .. k + kLanes − 1.
HWY_INLINE Vector Difference(const Translation& rows, int64_t k) {
  const Vector plain =
      hn::Sub(hn::Add(Load(rows.head + k), Load(rows.relation + k)), Load(rows.tail + k));
  if (rows.direction == nullptr) return plain;
  return hn::MulAdd(hn::Set(kFloats, rows.move), Load(rows.direction + k), plain);
}

float TranslationLength(const Translation& rows, int64_t width, float* slopes) {
  const Vector one = hn::Set(kFloats, 1.0F);
  Vector sum = hn::Zero(kFloats);
  for (int64_t k = 0; k < width; k += kLanes) {
    const Vector u = Difference(rows, k);
    sum = hn::Add(sum, hn::Abs(u));
    if (slopes == nullptr) continue;
    const auto has_slope = hn::Ne(u, hn::Zero(kFloats));
    hn::Store(hn::IfThenElseZero(has_slope, hn::CopySign(one, u)), kFloats, slopes + k);
  }
  return Sum(sum);
}

}  // namespace acevec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace acevec {

ACEVEC_KERNEL(translation_length, TranslationLength);

}  // namespace acevec
#endif  // HWY_ONCE
