#include "kernels/activations.h"

#include "kernels/lanes-inl.h"
// Must come after lanes-inl.h.
#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace acevec::HWY_NAMESPACE {

// Beyond this bound the result is 0 or 1 to the last bit; within it exp() is finite.
HWY_INLINE Vector Sigmoid(Vector x) {
  const Vector one = hn::Set(kFloats, 1.0F);
  const Vector most = hn::Set(kFloats, 40.0F);
  const Vector e = hn::Exp(kFloats, hn::Neg(hn::Clamp(x, hn::Neg(most), most)));
  return hn::Div(one, hn::Add(one, e));
}

// tanh x = 1 − 2 / (exp(2 x) + 1): exactly 0 at 0, ±1 for large |x|; the error is about 10⁻⁷.
HWY_INLINE Vector Tanh(Vector x) {
  const Vector one = hn::Set(kFloats, 1.0F);
  const Vector two = hn::Set(kFloats, 2.0F);
  const Vector most = hn::Set(kFloats, 20.0F);
  const Vector e = hn::Exp(kFloats, hn::Mul(two, hn::Clamp(x, hn::Neg(most), most)));
  return hn::Sub(one, hn::Div(two, hn::Add(e, one)));
}

void TanhRows(float* values, int64_t size) {
  for (int64_t k = 0; k < size; k += kLanes) {
    hn::Store(Tanh(hn::Load(kFloats, values + k)), kFloats, values + k);
  }
}

void TanhSlope(const float* outputs, int64_t size, float* gradients) {
  const Vector one = hn::Set(kFloats, 1.0F);
  for (int64_t k = 0; k < size; k += kLanes) {
    const Vector y = hn::Load(kFloats, outputs + k);
    const Vector slope = hn::NegMulAdd(y, y, one);
    hn::Store(hn::Mul(slope, hn::Load(kFloats, gradients + k)), kFloats, gradients + k);
  }
}

void Relu(float* values, int64_t size) {
  for (int64_t k = 0; k < size; k += kLanes) {
    hn::Store(hn::Max(hn::Zero(kFloats), hn::Load(kFloats, values + k)), kFloats, values + k);
  }
}

void ReluSlope(const float* outputs, int64_t size, float* gradients) {
  for (int64_t k = 0; k < size; k += kLanes) {
    const auto is_active = hn::Gt(hn::Load(kFloats, outputs + k), hn::Zero(kFloats));
    hn::Store(hn::IfThenElseZero(is_active, hn::Load(kFloats, gradients + k)), kFloats,
              gradients + k);
  }
}

void GruStep(float* gates, const float* recurrent, const float* h, int64_t width, float* next) {
  for (int64_t k = 0; k < width; k += kLanes) {
    const auto at = [&](const float* row) { return hn::Load(kFloats, row + k); };
    const Vector r = Sigmoid(hn::Add(at(gates), at(recurrent)));
    const Vector z = Sigmoid(hn::Add(at(gates + width), at(recurrent + width)));
    const Vector n = Tanh(hn::MulAdd(r, at(recurrent + 2 * width), at(gates + 2 * width)));
    hn::Store(r, kFloats, gates + k);
    hn::Store(z, kFloats, gates + width + k);
    hn::Store(n, kFloats, gates + 2 * width + k);
    hn::Store(hn::MulAdd(z, hn::Sub(at(h), n), n), kFloats, next + k);
  }
}

void GruStepBack(float* gates, float* recurrent, const float* h, int64_t width, float* h_gradient) {
  const Vector one = hn::Set(kFloats, 1.0F);
  for (int64_t k = 0; k < width; k += kLanes) {
    const auto at = [&](const float* row) { return hn::Load(kFloats, row + k); };
    const Vector r = at(gates), z = at(gates + width), n = at(gates + 2 * width);
    const Vector d = at(h_gradient);
    const Vector through_tanh = hn::Mul(hn::Mul(d, hn::Sub(one, z)), hn::NegMulAdd(n, n, one));
    const Vector dz = hn::Mul(hn::Mul(d, hn::Sub(at(h), n)), hn::Mul(z, hn::Sub(one, z)));
    const Vector dr =
        hn::Mul(hn::Mul(through_tanh, at(recurrent + 2 * width)), hn::Mul(r, hn::Sub(one, r)));
    hn::Store(dr, kFloats, gates + k);
    hn::Store(dz, kFloats, gates + width + k);
    hn::Store(through_tanh, kFloats, gates + 2 * width + k);
    hn::Store(dr, kFloats, recurrent + k);
    hn::Store(dz, kFloats, recurrent + width + k);
    hn::Store(hn::Mul(through_tanh, r), kFloats, recurrent + 2 * width + k);
    hn::Store(hn::Mul(d, z), kFloats, h_gradient + k);
  }
}

}  // namespace acevec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace acevec {

ACEVEC_KERNEL(tanh_rows, TanhRows);
ACEVEC_KERNEL(tanh_backward, TanhSlope);
ACEVEC_KERNEL(relu_rows, Relu);
ACEVEC_KERNEL(relu_backward, ReluSlope);
ACEVEC_KERNEL(gru_step, GruStep);
ACEVEC_KERNEL(gru_step_backward, GruStepBack);

}  // namespace acevec
#endif  // HWY_ONCE
