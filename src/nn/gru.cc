#include "nn/gru.h"

#include <algorithm>
#include <cmath>
#include <numeric>

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

int64_t Gru::bytes(int64_t inputs, int64_t units, int64_t sequences, int64_t steps) {
  return (2 * steps * padded(inputs) + (7 * steps + 3 * sequences) * padded(units)) * kFloatSize;
}

Gru::Gru(int64_t inputs, int64_t units) : inputs_(inputs), units_(units), width_(padded(units)) {}

void Gru::reserve(int64_t sequences, int64_t steps) {
  for (AlignedFloats* const floats : {&x_, &x_gradient_}) floats->grow(padded(inputs_) * steps);
  for (AlignedFloats* const floats : {&gates_, &recurrent_}) floats->grow(3 * width_ * steps);
  before_.grow(width_ * steps);
  for (AlignedFloats* const floats : {&last_, &down_, &passed_}) floats->grow(width_ * sequences);
}

// Puts sequences and steps into the order of time.
void Gru::arrange(const std::vector<size_t>& ends) {
  const auto begin = [&](size_t sequence) { return sequence == 0 ? 0 : ends[sequence - 1]; };
  sequences_.resize(ends.size());
  std::iota(sequences_.begin(), sequences_.end(), size_t{0});
  std::stable_sort(sequences_.begin(), sequences_.end(),
                   [&](size_t a, size_t b) { return ends[a] - begin(a) > ends[b] - begin(b); });
  steps_.clear();
  first_.assign(1, 0);
  for (size_t t = 0; !ends.empty() && steps_.size() < ends.back(); ++t) {
    for (const size_t sequence : sequences_) {
      if (begin(sequence) + t >= ends[sequence]) break;
      steps_.push_back(begin(sequence) + t);
    }
    first_.push_back(steps());
  }
}

void Gru::forward(const float* parameters, const std::vector<const float*>& inputs,
                  const std::vector<size_t>& ends) {
  arrange(ends);
  reserve(std::ssize(ends), steps());
  const int64_t row = 3 * width_, x_width = padded(inputs_);
  const float* const u = parameters + inputs_ * row;
  const float* const bias = u + units_ * row;
  for (int64_t i = 0; i < steps(); ++i) {
    std::copy_n(inputs[steps_[static_cast<size_t>(i)]], inputs_, x_.data() + i * x_width);
    std::copy_n(bias, row, gates_.data() + i * row);
  }
  mix_rows({x_.data(), x_width, 1}, steps(), {parameters, inputs_}, row, gates_.data(), true);
  std::fill_n(before_.data(), std::ssize(ends) * width_, 0.0F);
  for (size_t t = 0; t + 1 < first_.size(); ++t) {
    float* const h = before_.data() + first_[t] * width_;
    float* const recurrent = recurrent_.data() + first_[t] * row;
    if (t == 0) {
      std::fill_n(recurrent, active(t) * row, 0.0F);
    } else {
      mix_rows({h, width_, 1}, active(t), {u, units_}, row, recurrent, false);
    }
    const int64_t going_on = t + 2 < first_.size() ? active(t + 1) : 0;
    for (int64_t i = 0; i < active(t); ++i) {
      const auto sequence = static_cast<int64_t>(sequences_[static_cast<size_t>(i)]);
      float* const next = i < going_on ? before_.data() + (first_[t + 1] + i) * width_
                                       : last_.data() + sequence * width_;
      gru_step(gates_.data() + (first_[t] + i) * row, recurrent + i * row, h + i * width_, width_,
               next);
    }
  }
}

void Gru::backward(const float* parameters, const float* last_gradient,
                   const std::vector<float*>& input_gradients, float* parameter_gradient) {
  const int64_t row = 3 * width_, x_width = padded(inputs_);
  const float* const u = parameters + inputs_ * row;
  int64_t reached = 0;  // sequences that end at this step or later
  for (size_t t = first_.size() - 1; t-- > 0;) {
    for (; reached < active(t); ++reached) {
      const auto sequence = static_cast<int64_t>(sequences_[static_cast<size_t>(reached)]);
      std::copy_n(last_gradient + sequence * width_, width_, down_.data() + reached * width_);
    }
    for (int64_t i = 0; i < active(t); ++i) {
      const int64_t at = first_[t] + i;
      gru_step_backward(gates_.data() + at * row, recurrent_.data() + at * row,
                        before_.data() + at * width_, width_, down_.data() + i * width_);
    }
    if (t == 0) break;
    score_rows({recurrent_.data() + first_[t] * row, active(t)}, {u, units_}, row,
               {passed_.data(), width_});
    for (int64_t k = 0; k < active(t) * width_; ++k) down_.data()[k] += passed_.data()[k];
  }
  static constexpr float kOne = 1;
  score_rows({gates_.data(), steps()}, {parameters, inputs_}, row, {x_gradient_.data(), x_width});
  for (int64_t i = 0; i < steps(); ++i) {
    float* const gradient = input_gradients[steps_[static_cast<size_t>(i)]];
    const float* const more = x_gradient_.data() + i * x_width;
    for (int64_t k = 0; k < inputs_; ++k) gradient[k] += more[k];
  }
  mix_rows({x_.data(), 1, x_width}, inputs_, {gates_.data(), steps()}, row, parameter_gradient,
           false);
  mix_rows({before_.data(), 1, width_}, units_, {recurrent_.data(), steps()}, row,
           parameter_gradient + inputs_ * row, false);
  mix_rows({&kOne, 0, 0}, 1, {gates_.data(), steps()}, row,
           parameter_gradient + (inputs_ + units_) * row, false);
}

}  // namespace acevec
