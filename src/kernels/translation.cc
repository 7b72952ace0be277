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

float TranslationLength(const Translation& rows, int64_t width) {
  Vector sum = hn::Zero(kFloats);
  for (int64_t k = 0; k < width; k += kLanes) {
    sum = hn::Add(sum, hn::Abs(Difference(rows, k)));
  }
  return Sum(sum);
}

float AddTranslationGradient(const Translation& rows, int64_t width, float scale,
                             const TripleGradients& gradients, float* direction_gradient) {
  const Vector one = hn::Set(kFloats, 1.0F);
  const Vector scales = hn::Set(kFloats, scale);
  const Vector moves = hn::Set(kFloats, scale * rows.move);
  Vector along = hn::Zero(kFloats);
  for (int64_t k = 0; k < width; k += kLanes) {
    const Vector u = Difference(rows, k);
    const Vector slope = hn::IfThenElseZero(hn::Ne(u, hn::Zero(kFloats)), hn::CopySign(one, u));
    const Vector change = hn::Mul(scales, slope);
    Add(change, gradients.head + k);
    Add(change, gradients.relation + k);
    Add(hn::Neg(change), gradients.tail + k);
    if (rows.direction == nullptr) continue;
    along = hn::MulAdd(slope, Load(rows.direction + k), along);
    Add(hn::Mul(moves, slope), direction_gradient + k);
  }
  return Sum(along);
}

}  // namespace acevec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace acevec {

ACEVEC_KERNEL(translation_length, TranslationLength);
ACEVEC_KERNEL(add_translation_gradient, AddTranslationGradient);

}  // namespace acevec
#endif  // HWY_ONCE
