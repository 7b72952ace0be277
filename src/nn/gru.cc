#include "nn/gru.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/activations.h"
#include "math/table_products.h"

namespace acevec {
namespace {

constexpr size_t kSequences = 8;   // sequences in a block
constexpr int64_t kGateRows = 16;  // rows in a block of parameters: one cache line of each input

int64_t gate_blocks(int64_t rows) {
  return (rows + kGateRows - 1) / kGateRows;
}

}  // namespace

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

Gru::Gru(int64_t inputs, int64_t units) : inputs_(inputs), units_(units), width_(padded(units)) {}

void Gru::reserve(int64_t sequences, int64_t steps) {
  for (AlignedFloats* const floats : {&x_, &x_gradient_}) floats->grow(padded(inputs_) * steps);
  for (AlignedFloats* const floats : {&gates_, &recurrent_}) floats->grow(3 * width_ * steps);
  before_.grow(width_ * steps);
  for (AlignedFloats* const floats : {&h_gradient_, &h_product_}) floats->grow(width_ * sequences);
}

void Gru::arrange(std::vector<std::span<const int32_t>> sequences) {
  sequences_ = std::move(sequences);
  const size_t count = sequences_.size();
  begins_.resize(count);
  int64_t steps = 0;
  for (size_t i = 0; i < count; ++i) {
    begins_[i] = steps;
    steps += std::ssize(sequences_[i]);
  }
  places_.resize(static_cast<size_t>(steps));
  reserve(std::ssize(sequences_), steps);
  order_.resize(count);
  std::iota(order_.begin(), order_.end(), size_t{0});
  std::stable_sort(order_.begin(), order_.end(),
                   [&](size_t a, size_t b) { return sequences_[a].size() > sequences_[b].size(); });
  blocks_.clear();
  first_.clear();
  int64_t step = 0;
  for (size_t first = 0; first < count; first += kSequences) {
    const size_t last = std::min(first + kSequences, count),
                 length = sequences_[order_[first]].size();
    blocks_.push_back({first, last, first_.size(), length});
    size_t active = last - first;
    for (size_t t = 0; t < length; ++t) {
      while (sequences_[order_[first + active - 1]].size() <= t) --active;
      first_.push_back(step);
      step += static_cast<int64_t>(active);
    }
    first_.push_back(step);
  }
}

// Copies the block's inputs in time order, and writes their contribution to the gates to gates_.
void Gru::read(const float* parameters, const Matrix& rows, const Block& block) {
  const int64_t row = 3 * width_, x_width = padded(inputs_);
  const float* const bias = parameters + (inputs_ + units_) * row;
  const std::span<const int64_t> first = times_of(block);
  for (size_t t = 0; t < block.length; ++t) {
    for (int64_t place = first[t]; place < first[t + 1]; ++place) {
      const size_t sequence = order_[block.first + static_cast<size_t>(place - first[t])];
      places_[static_cast<size_t>(begins_[sequence]) + t] = place;
      std::copy_n(rows.row(sequences_[sequence][t]), inputs_, x_.data() + place * x_width);
      std::copy_n(bias, row, gates_.data() + place * row);
    }
  }
  mix_rows({x_.data() + first.front() * x_width, x_width, 1}, first.back() - first.front(),
           {parameters, inputs_}, row, gates_.data() + first.front() * row, true);
}

void Gru::forward(const float* parameters, const Matrix& rows, int64_t number, float* last) {
  const Block& block = blocks_[static_cast<size_t>(number)];
  read(parameters, rows, block);
  const int64_t row = 3 * width_;
  const float* const u = parameters + inputs_ * row;
  const std::span<const int64_t> first = times_of(block);
  std::fill_n(before_.data() + first[0] * width_, (first[1] - first[0]) * width_, 0.0F);
  for (size_t t = 0; t < block.length; ++t) {
    const int64_t active = first[t + 1] - first[t];
    float* const h = before_.data() + first[t] * width_;
    float* const recurrent = recurrent_.data() + first[t] * row;
    if (t == 0) {
      std::fill_n(recurrent, active * row, 0.0F);
    } else {
      mix_rows({h, width_, 1}, active, {u, units_}, row, recurrent, false);
    }
    const int64_t next_active = t + 1 < block.length ? first[t + 2] - first[t + 1] : 0;
    for (int64_t i = 0; i < active; ++i) {
      const auto sequence = static_cast<int64_t>(order_[block.first + static_cast<size_t>(i)]);
      float* const next =
          i < next_active ? before_.data() + (first[t + 1] + i) * width_ : last + sequence * width_;
      gru_step(gates_.data() + (first[t] + i) * row, recurrent + i * row, h + i * width_, width_,
               next);
    }
  }
}

void Gru::backward(const float* parameters, const float* last_gradient, int64_t number) {
  const Block& block = blocks_[static_cast<size_t>(number)];
  const int64_t row = 3 * width_, x_width = padded(inputs_);
  const float* const u = parameters + inputs_ * row;
  const std::span<const int64_t> first = times_of(block);
  float* const h_gradient = h_gradient_.data() + static_cast<int64_t>(block.first) * width_;
  float* const h_product = h_product_.data() + static_cast<int64_t>(block.first) * width_;
  int64_t reached = 0;  // sequences that end at this step or later
  for (size_t t = block.length; t-- > 0;) {
    const int64_t active = first[t + 1] - first[t];
    for (; reached < active; ++reached) {
      const auto sequence =
          static_cast<int64_t>(order_[block.first + static_cast<size_t>(reached)]);
      std::copy_n(last_gradient + sequence * width_, width_, h_gradient + reached * width_);
    }
    for (int64_t i = 0; i < active; ++i) {
      const int64_t at = first[t] + i;
      gru_step_backward(gates_.data() + at * row, recurrent_.data() + at * row,
                        before_.data() + at * width_, width_, h_gradient + i * width_);
    }
    if (t == 0) break;
    score_rows({recurrent_.data() + first[t] * row, active}, {u, units_}, row, {h_product, width_});
    for (int64_t k = 0; k < active * width_; ++k) h_gradient[k] += h_product[k];
  }
  score_rows({gates_.data() + first.front() * row, first.back() - first.front()},
             {parameters, inputs_}, row, {x_gradient_.data() + first.front() * x_width, x_width});
}

int64_t Gru::parameter_blocks() const {
  return gate_blocks(inputs_) + gate_blocks(units_) + 1;
}

Span Gru::parameter_gradient(int64_t block, float* gradient) const {
  static constexpr float kOne = 1;
  const int64_t row = 3 * width_;
  const auto mix = [&](Weights weights, int64_t first, int64_t count, const AlignedFloats& b) {
    std::fill_n(gradient + first * row, count * row, 0.0F);
    mix_tables(weights, count, {b.data(), steps()}, row, gradient + first * row);
    return Span{static_cast<int32_t>(first), static_cast<int32_t>(first + count)};
  };
  const int64_t of_w = gate_blocks(inputs_), of_u = gate_blocks(units_);
  if (block < of_w) {
    const int64_t i = block * kGateRows;
    return mix({x_.data() + i, 1, padded(inputs_)}, i, std::min(kGateRows, inputs_ - i), gates_);
  }
  if (block < of_w + of_u) {
    const int64_t i = (block - of_w) * kGateRows;
    return mix({before_.data() + i, 1, width_}, inputs_ + i, std::min(kGateRows, units_ - i),
               recurrent_);
  }
  return mix({&kOne, 0, 0}, inputs_ + units_, 1, gates_);
}

}  // namespace acevec
