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

// Bytes that the bits of a vector's lanes take.
constexpr int64_t kMaskBytes = (kLanes + 7) / 8;

// Of a row's vectors: which coordinates are below 0, then which are not 0.
HWY_INLINE const uint8_t* BitsAt(const float* signs, int64_t k) {
  return reinterpret_cast<const uint8_t*>(signs) + k / kLanes * 2 * kMaskBytes;
}

// `x` with the sign of a coordinate.
HWY_INLINE Vector WithSign(const float* signs, int64_t k, Vector x) {
  const uint8_t* const bits = BitsAt(signs, k);
  const auto below = hn::LoadMaskBits(kFloats, bits);
  const auto not_zero = hn::LoadMaskBits(kFloats, bits + kMaskBytes);
  return hn::IfThenElseZero(not_zero, hn::IfThenElse(below, hn::Neg(x), x));
}

float TranslationLength(const Translation& rows, int64_t width, float* signs) {
  Vector sum = hn::Zero(kFloats);
  for (int64_t k = 0; k < width; k += kLanes) {
    const Vector u = Difference(rows, k);
    sum = hn::Add(sum, hn::Abs(u));
    if (signs == nullptr) continue;
    uint8_t* const bits = const_cast<uint8_t*>(BitsAt(signs, k));
    hn::StoreMaskBits(kFloats, hn::Lt(u, hn::Zero(kFloats)), bits);
    hn::StoreMaskBits(kFloats, hn::Ne(u, hn::Zero(kFloats)), bits + kMaskBytes);
  }
  return Sum(sum);
}

void AddSigns(const float* signs, float scale, int64_t width, float* out) {
  const Vector scales = hn::Set(kFloats, scale);
  for (int64_t k = 0; k < width; k += kLanes) Add(WithSign(signs, k, scales), out + k);
}

float SignProduct(const float* signs, const float* x, int64_t width) {
  Vector sum = hn::Zero(kFloats);
  for (int64_t k = 0; k < width; k += kLanes) {
    sum = hn::Add(sum, WithSign(signs, k, Load(x + k)));
  }
  return Sum(sum);
}

}  // namespace acevec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace acevec {

ACEVEC_KERNEL(translation_length, TranslationLength);
ACEVEC_KERNEL(add_signs, AddSigns);
ACEVEC_KERNEL(sign_product, SignProduct);

}  // namespace acevec
#endif  // HWY_ONCE
