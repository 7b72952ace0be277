#include "nn/gru.h"

#include <algorithm>
#include <cmath>

#include "kernels/activations.h"
#include "kernels/products.h"

namespace acevec {

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
  mix_rows({x, x_stride, 1}, steps_, {parameters, inputs_}, row, gates_.data(), true);
  std::fill_n(before_.data(), sequences * width_, 0.0F);
  for (size_t t = 0; t < active_.size(); ++t) {
    float* const h = before_.data() + first_[t] * width_;
    float* const recurrent = recurrent_.data() + first_[t] * row;
    if (t == 0) {
      std::fill_n(recurrent, active_[t] * row, 0.0F);
    } else {
      mix_rows({h, width_, 1}, active_[t], {u, units_}, row, recurrent, false);
    }
    const int64_t going_on = t + 1 < active_.size() ? active_[t + 1] : 0;
    for (int64_t i = 0; i < active_[t]; ++i) {
      float* const next =
          i < going_on ? before_.data() + (first_[t + 1] + i) * width_ : last_.data() + i * width_;
      gru_step(gates_.data() + (first_[t] + i) * row, recurrent + i * row, h + i * width_, width_,
               next);
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
      gru_step_backward(gates_.data() + at * row, recurrent_.data() + at * row,
                        before_.data() + at * width_, width_, down_.data() + i * width_);
    }
    if (t == 0) break;
    score_rows({recurrent_.data() + first_[t] * row, active_[t]}, {u, units_}, row,
               {passed_.data(), width_});
    for (int64_t k = 0; k < active_[t] * width_; ++k) down_.data()[k] += passed_.data()[k];
  }
  static constexpr float kOne = 1;
  score_rows({gates_.data(), steps_}, {parameters, inputs_}, row, {x_gradient, x_stride});
  mix_rows({x, 1, x_stride}, inputs_, {gates_.data(), steps_}, row, parameter_gradient, false);
  mix_rows({before_.data(), 1, width_}, units_, {recurrent_.data(), steps_}, row,
           parameter_gradient + inputs_ * row, false);
  mix_rows({&kOne, 0, 0}, 1, {gates_.data(), steps_}, row,
           parameter_gradient + (inputs_ + units_) * row, false);
}

}  // namespace acevec
