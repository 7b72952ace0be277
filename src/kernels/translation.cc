#include "kernels/translation.h"

#include <cmath>

#include "math/aligned.h"

#include "kernels/every_instruction_set.h"
// Must come after it.
#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace acevec::HWY_NAMESPACE {

HWY_INLINE float Sum(Vector lanes) {
  return hn::GetLane(hn::SumOfLanes(kFloats, lanes));
}

// u at k .. k + kLanes − 1.
HWY_INLINE Vector Difference(const Translation& rows, int64_t k) {
  const Vector plain =
      hn::Sub(hn::Add(hn::LoadU(kFloats, rows.head + k), hn::LoadU(kFloats, rows.relation + k)),
              hn::LoadU(kFloats, rows.tail + k));
  if (rows.direction == nullptr) return plain;
  return hn::MulAdd(hn::Set(kFloats, rows.move), hn::LoadU(kFloats, rows.direction + k), plain);
}

float TranslationLength(Norm norm, const Translation& rows, int64_t width) {
  Vector sum = hn::Zero(kFloats);
  for (int64_t k = 0; k < width; k += kLanes) {
    const Vector u = Difference(rows, k);
    sum = norm == Norm::kL1 ? hn::Add(sum, hn::Abs(u)) : hn::MulAdd(u, u, sum);
  }
  return norm == Norm::kL1 ? Sum(sum) : std::sqrt(Sum(sum));
}

HWY_INLINE void Add(Vector change, float* row) {
  hn::StoreU(hn::Add(hn::LoadU(kFloats, row), change), kFloats, row);
}

float AddTranslationGradient(Norm norm, const Translation& rows, int64_t width, float scale,
                             const TripleGradients& gradients, float* direction_gradient) {
  const float length = norm == Norm::kL1 ? 1 : TranslationLength(norm, rows, width);
  const Vector per_length = hn::Set(kFloats, length > 0 ? 1 / length : 0);
  const Vector one = hn::Set(kFloats, 1.0F);
  const Vector scales = hn::Set(kFloats, scale);
  const Vector moves = hn::Set(kFloats, scale * rows.move);
  Vector along = hn::Zero(kFloats);
  for (int64_t k = 0; k < width; k += kLanes) {
    const Vector u = Difference(rows, k);
    const Vector slope =
        norm == Norm::kL1 ? hn::IfThenElseZero(hn::Ne(u, hn::Zero(kFloats)), hn::CopySign(one, u))
                          : hn::Mul(u, per_length);
    const Vector change = hn::Mul(scales, slope);
    Add(change, gradients.head + k);
    Add(change, gradients.relation + k);
    Add(hn::Neg(change), gradients.tail + k);
    if (rows.direction == nullptr) continue;
    along = hn::MulAdd(slope, hn::LoadU(kFloats, rows.direction + k), along);
    Add(hn::Mul(moves, slope), direction_gradient + k);
  }
  return Sum(along);
}

}  // namespace acevec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace acevec {

HWY_EXPORT(TranslationLength);
HWY_EXPORT(AddTranslationGradient);

float translation_length(Norm norm, const Translation& rows, int64_t width) {
  return HWY_DYNAMIC_DISPATCH(TranslationLength)(norm, rows, width);
}

float add_translation_gradient(Norm norm, const Translation& rows, int64_t width, float scale,
                               const TripleGradients& gradients, float* direction_gradient) {
  return HWY_DYNAMIC_DISPATCH(AddTranslationGradient)(norm, rows, width, scale, gradients,
                                                      direction_gradient);
}

}  // namespace acevec
#endif  // HWY_ONCE
