#include "nn/gru.h"

#include <algorithm>
#include <cmath>

#include "math/kernels.h"

// As in math/kernels.cc.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nn/gru.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace acevec::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, kRowPadding>;
using Vector = hn::Vec<Floats>;
constexpr Floats kFloats;
constexpr int64_t kLanes = static_cast<int64_t>(hn::MaxLanes(kFloats));

// From afar the result is 0 or 1 to the last bit, and exp() stays finite.
HWY_INLINE Vector Sigmoid(Vector x) {
  const Vector one = hn::Set(kFloats, 1.0F);
  const Vector most = hn::Set(kFloats, 40.0F);
  const Vector e = hn::Exp(kFloats, hn::Neg(hn::Clamp(x, hn::Neg(most), most)));
  return hn::Div(one, hn::Add(one, e));
}

// tanh x = 2 σ(2x) − 1, exactly 0 at 0.
HWY_INLINE Vector Tanh(Vector x) {
  const Vector one = hn::Set(kFloats, 1.0F);
  const Vector two = hn::Set(kFloats, 2.0F);
  const Vector most = hn::Set(kFloats, 20.0F);
  const Vector e = hn::Exp(kFloats, hn::Mul(two, hn::Clamp(x, hn::Neg(most), most)));
  return hn::Sub(one, hn::Div(two, hn::Add(e, one)));
}

// One step of one sequence: gates r, z, n, `width` apart, from what x adds to them and what h does
// (recurrent); then the next h.
void Step(float* gates, const float* recurrent, const float* h, int64_t width, float* next) {
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

// Back through it: gates and recurrent become the gradients of what they were made of, and down,
// dL/dh', becomes the part of dL/dh that is not through the product h U.
void StepBack(float* gates, float* recurrent, const float* h, int64_t width, float* down) {
  const Vector one = hn::Set(kFloats, 1.0F);
  for (int64_t k = 0; k < width; k += kLanes) {
    const auto at = [&](const float* row) { return hn::Load(kFloats, row + k); };
    const Vector r = at(gates), z = at(gates + width), n = at(gates + 2 * width);
    const Vector d = at(down);
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
    hn::Store(hn::Mul(d, z), kFloats, down + k);
  }
}

}  // namespace acevec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace acevec {

HWY_EXPORT(Step);
HWY_EXPORT(StepBack);

Matrix Gru::parameters(int64_t inputs, int64_t units, Random& random) {
  Matrix matrix(parameter_rows(inputs, units), parameter_columns(units));
  const float range = 1 / std::sqrt(static_cast<float>(units));
  for (int64_t i = 0; i < inputs + units; ++i) {
    for (int64_t gate = 0; gate < 3; ++gate) {
      float* const row = matrix.row(i) + gate * padded(units);
      for (int64_t k = 0; k < units; ++k) row[k] = range * (2 * random.uniform() - 1);
    }
  }
  return matrix;
}

int64_t Gru::bytes(int64_t units, int64_t sequences, int64_t steps) {
  return (7 * steps + 3 * sequences) * padded(units) * static_cast<int64_t>(sizeof(float));
}

Gru::Gru(int64_t inputs, int64_t units)
    : inputs_(inputs),
      units_(units),
      width_(padded(units)),
      gates_(0),
      recurrent_(0),
      before_(0),
      last_(0),
      down_(0),
      passed_(0) {}

void Gru::reserve(int64_t sequences, int64_t steps) {
  if (steps > room_) {
    room_ = steps;
    gates_ = AlignedFloats(3 * width_ * room_);
    recurrent_ = AlignedFloats(3 * width_ * room_);
    before_ = AlignedFloats(width_ * room_);
  }
  if (sequences > last_room_) {
    last_room_ = sequences;
    last_ = AlignedFloats(width_ * last_room_);
    down_ = AlignedFloats(width_ * last_room_);
    passed_ = AlignedFloats(width_ * last_room_);
  }
}

void Gru::forward(const float* parameters, const float* x, int64_t x_stride,
                  const std::vector<int64_t>& active) {
  active_ = active;
  first_.clear();
  steps_ = 0;
  for (const int64_t sequences : active_) {
    first_.push_back(steps_);
    steps_ += sequences;
  }
  const int64_t sequences = active_.empty() ? 0 : active_[0];
  reserve(sequences, steps_);
  const int64_t row = 3 * width_;
  const float* const u = parameters + inputs_ * row;
  const float* const bias = u + units_ * row;
  for (int64_t i = 0; i < steps_; ++i) std::copy_n(bias, row, gates_.data() + i * row);
  mix_rows({x, x_stride, 1}, steps_, parameters, inputs_, row, gates_.data(), true);
  std::fill_n(before_.data(), sequences * width_, 0.0F);
  for (size_t t = 0; t < active_.size(); ++t) {
    float* const h = before_.data() + first_[t] * width_;
    float* const recurrent = recurrent_.data() + first_[t] * row;
    if (t == 0) {
      std::fill_n(recurrent, active_[t] * row, 0.0F);
    } else {
      mix_rows({h, width_, 1}, active_[t], u, units_, row, recurrent, false);
    }
    const int64_t going_on = t + 1 < active_.size() ? active_[t + 1] : 0;
    for (int64_t i = 0; i < active_[t]; ++i) {
      float* const next =
          i < going_on ? before_.data() + (first_[t + 1] + i) * width_ : last_.data() + i * width_;
      HWY_DYNAMIC_DISPATCH(Step)
      (gates_.data() + (first_[t] + i) * row, recurrent + i * row, h + i * width_, width_, next);
    }
  }
}

void Gru::backward(const float* parameters, const float* x, int64_t x_stride,
                   const float* last_gradient, float* x_gradient, float* parameter_gradient) {
  const int64_t row = 3 * width_;
  const float* const u = parameters + inputs_ * row;
  int64_t reached = 0;  // sequences that end at this step or later
  for (size_t t = active_.size(); t-- > 0;) {
    std::copy_n(last_gradient + reached * width_, (active_[t] - reached) * width_,
                down_.data() + reached * width_);
    reached = active_[t];
    for (int64_t i = 0; i < active_[t]; ++i) {
      const int64_t at = first_[t] + i;
      HWY_DYNAMIC_DISPATCH(StepBack)
      (gates_.data() + at * row, recurrent_.data() + at * row, before_.data() + at * width_, width_,
       down_.data() + i * width_);
    }
    if (t == 0) break;
    score_rows(recurrent_.data() + first_[t] * row, active_[t], u, units_, row, passed_.data(),
               width_);
    for (int64_t k = 0; k < active_[t] * width_; ++k) down_.data()[k] += passed_.data()[k];
  }
  static constexpr float kOne = 1;
  score_rows(gates_.data(), steps_, parameters, inputs_, row, x_gradient, x_stride);
  mix_rows({x, 1, x_stride}, inputs_, gates_.data(), steps_, row, parameter_gradient, false);
  mix_rows({before_.data(), 1, width_}, units_, recurrent_.data(), steps_, row,
           parameter_gradient + inputs_ * row, false);
  mix_rows({&kOne, 0, 0}, 1, gates_.data(), steps_, row,
           parameter_gradient + (inputs_ + units_) * row, false);
}

}  // namespace acevec
#endif  // HWY_ONCE
