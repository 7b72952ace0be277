#include "kernels/optimizer_steps.h"

#include <algorithm>
#include <cmath>

#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace acevec::HWY_NAMESPACE {

void Step(const OptimizerSettings& settings, const float* parameters, int64_t size,
          float* directions) {
  const Vector step = hn::Set(kFloats, settings.ascend ? settings.rate : -settings.rate);
  const Vector decay = hn::Set(kFloats, -settings.rate * settings.weight_decay);
  for (int64_t k = 0; k < size; k += kLanes) {
    Vector change = hn::Mul(step, hn::Load(kFloats, directions + k));
    if (settings.weight_decay != 0) {
      change = hn::MulAdd(decay, hn::Load(kFloats, parameters + k), change);
    }
    hn::Store(change, kFloats, directions + k);
  }
}

// Gradients, clamped so that their squares are finite.
HWY_INLINE Vector LoadBounded(const float* gradient) {
  const Vector most = hn::Set(kFloats, 1e18F);
  return hn::Clamp(hn::Load(kFloats, gradient), hn::Neg(most), most);
}

// The number of a step in two floats, exact up to 2⁴⁸; a single float is exact up to 2²⁴.
constexpr int64_t kStepUnit = int64_t{1} << 24;

HWY_INLINE int64_t LoadStep(const float* numbers) {
  return static_cast<int64_t>(numbers[1]) * kStepUnit + static_cast<int64_t>(numbers[0]);
}

HWY_INLINE void StoreStep(int64_t step, float* numbers) {
  const int64_t units = step / kStepUnit;
  numbers[0] = static_cast<float>(step % kStepUnit);
  numbers[1] = static_cast<float>(units);
}

// A row's moments are consecutive: m (width floats), v (width floats), c1 and c2, and the step of
// the last touch. Without momentum, β1 = 0, m is the gradient itself and is not stored.
//
// m and v are moving averages of the gradient and its square that start at 0. c1 and c2 are the
// same averages of the number 1, so that m/c1 and v/c2 are Adam's m̂ and v̂: after t steps
// c = 1 − βᵗ, without counting steps or taking powers. By time powers are needed: then the step of
// the last touch is stored, and `idle` steps have passed since.
//
// By the Cauchy-Schwarz inequality v is at least m² · (1 − β2)(1 − β1²/β2)/(1 − β1)², without
// momentum (1 − β2) g², which bounds m/√v. Racing threads may leave a v that lacks some of m's
// gradients, or all; v is then raised to that bound.
//
// Replaces the gradient by the direction, and updates the moments.
void AdamRow(const OptimizerSettings& settings, int64_t step, int64_t width, float* moments,
             float* gradient) {
  const bool momentum = settings.beta1 > 0;
  float* const m = moments;
  float* const v = moments + (momentum ? width : 0);
  float* const corrections = v + width;
  float* const last = corrections + 2;
  const float idle = settings.by_time ? static_cast<float>(step - 1 - LoadStep(last)) : 0.0F;
  const float keep1 = idle > 0 ? std::pow(settings.beta1, idle) : 1.0F;
  const float keep2 = idle > 0 ? std::pow(settings.beta2, idle) : 1.0F;
  const float new1 = 1 - settings.beta1;
  const float new2 = 1 - settings.beta2;
  // The average of 1 does not decay while a row is idle, since each step adds a 1.
  const float idle1 = 1 - keep1 * (1 - corrections[0]);
  const float idle2 = 1 - keep2 * (1 - corrections[1]);
  const float c1 = idle1 + new1 * (1 - idle1);
  const float c2 = idle2 + new2 * (1 - idle2);
  // m̂ / (√v̂ + ε) = m · (√c2 / c1) / (√v + ε √c2)
  const Vector scale = hn::Set(kFloats, std::sqrt(c2) / c1);
  const Vector epsilon = hn::Set(kFloats, settings.epsilon * std::sqrt(c2));
  const float least = new2 * (1 - settings.beta1 * settings.beta1 / settings.beta2) / (new1 * new1);
  const Vector least_v = hn::Set(kFloats, std::max(least, 0.0F));
  for (int64_t k = 0; k < width; k += kLanes) {
    const Vector g = LoadBounded(gradient + k);
    Vector new_m = g;
    if (momentum) {
      const Vector old_m = hn::Load(kFloats, m + k);
      const Vector idle_m = hn::Mul(hn::Set(kFloats, keep1), old_m);
      new_m = hn::MulAdd(hn::Set(kFloats, new1), hn::Sub(g, idle_m), idle_m);
      hn::Store(new_m, kFloats, m + k);
    }
    const Vector old_v = hn::Load(kFloats, v + k);
    const Vector idle_v = hn::Mul(hn::Set(kFloats, keep2), old_v);
    const Vector new_v =
        hn::Max(hn::MulAdd(hn::Set(kFloats, new2), hn::MulSub(g, g, idle_v), idle_v),
                hn::Mul(least_v, hn::Mul(new_m, new_m)));
    const Vector divisor = hn::Add(hn::Sqrt(new_v), epsilon);
    hn::Store(hn::Div(hn::Mul(new_m, scale), divisor), kFloats, gradient + k);
    hn::Store(new_v, kFloats, v + k);
  }
  corrections[0] = c1;
  corrections[1] = c2;
  if (settings.by_time) StoreStep(step, last);
}

void AdamRows(const OptimizerSettings& settings, int64_t step, int64_t count, int64_t width,
              FloatRows moments, float* gradients) {
  for (int64_t i = 0; i < count; ++i) {
    AdamRow(settings, step, width, moments.data + i * moments.stride, gradients + i * width);
  }
}

void AdagradRows(const OptimizerSettings& settings, int64_t count, float* squares,
                 float* gradients) {
  const Vector epsilon = hn::Set(kFloats, settings.epsilon);
  for (int64_t k = 0; k < count; k += kLanes) {
    const Vector g = LoadBounded(gradients + k);
    const Vector sum = hn::MulAdd(g, g, hn::Load(kFloats, squares + k));
    hn::Store(sum, kFloats, squares + k);
    hn::Store(hn::Div(g, hn::Add(hn::Sqrt(sum), epsilon)), kFloats, gradients + k);
  }
}

}  // namespace acevec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace acevec {

ACEVEC_KERNEL(take_rate, Step);
ACEVEC_KERNEL(adam_rows, AdamRows);
ACEVEC_KERNEL(adagrad_rows, AdagradRows);

}  // namespace acevec
#endif  // HWY_ONCE
