#include "nn/layer.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.h"
#include "kernels/activations.h"
#include "kernels/hogwild.h"
#include "kernels/products.h"
#include "math/large_products.h"

namespace acevec {

namespace {

// Longest step that one row of W may take at once; sound steps are far shorter.
constexpr float kMaxStep = 1.0F;

// Rows that a thread of a team takes together.
constexpr int64_t kTogether = 16;

}  // namespace

Matrix DenseLayer::parameters(int64_t inputs, int64_t units, int64_t columns, Random& random) {
  Matrix matrix(inputs + 1, columns);
  // Glorot and Bengio 2010: keeps the variance of what passes through.
  const float range = std::sqrt(6.0F / static_cast<float>(inputs + units));
  for (int64_t i = 0; i < inputs; ++i) {
    for (int64_t k = 0; k < units; ++k) matrix.row(i)[k] = range * (2 * random.uniform() - 1);
  }
  return matrix;
}

DenseLayer::DenseLayer(Matrix& parameters, Matrix& moments, const OptimizerSettings& settings,
                       int64_t most_rows, Activation activation, int threads)
    : parameters_(parameters),
      moments_(moments),
      settings_(settings),
      activation_(activation),
      threads_(threads),
      ids_(static_cast<size_t>(parameters.rows())),
      weights_(threads == kShared ? parameters.rows() * width() : 0),
      changes_(parameters.rows() * width()),
      outputs_(most_rows * width()) {
  std::iota(ids_.begin(), ids_.end(), 0);
  if (threads == kShared) optimizer_.emplace(settings, moments, width(), parameters.rows());
}

void DenseLayer::set_rate(float rate) {
  settings_.rate = rate;
  if (optimizer_) optimizer_->set_rate(rate);
}

int64_t DenseLayer::bytes(int64_t inputs, int64_t width, const OptimizerSettings& settings,
                          int64_t most_rows) {
  return (2 * (inputs + 1) + most_rows) * width * kFloatSize +
         Optimizer::moment_bytes(settings, inputs + 1, width);
}

void DenseLayer::apply(const Weights& layer, const float* x, int64_t x_stride, int64_t rows,
                       float* y, int threads) {
  const auto& [weights, inputs, width, activation] = layer;
  const float* const bias = weights + inputs * width;
  for (int64_t i = 0; i < rows; ++i) std::copy_n(bias, width, y + i * width);
  mix_tables({x, x_stride, 1}, rows, {weights, inputs}, width, y, threads);
  if (activation == Activation::kNone) return;
  const auto function = activation == Activation::kTanh ? tanh_rows : relu_rows;
  in_blocks(threads, rows, kTogether, [&, width = layer.width](int64_t begin, int64_t end) {
    function(y + begin * width, (end - begin) * width);
  });
}

float* DenseLayer::forward(const float* x, int64_t x_stride, int64_t rows) {
  if (threads_ == kShared) {
    gather_rows(parameters_, ids_.data(), parameters_.rows(), weights_.data());
  }
  apply({weights(), inputs(), width(), activation_}, x, x_stride, rows, outputs_.data(), threads_);
  return outputs_.data();
}

// dJ/dy -> dJ/d(x W + b), in place.
void DenseLayer::pass_activation(int64_t rows, float* y_gradient) const {
  if (activation_ == Activation::kNone) return;
  const auto function = activation_ == Activation::kTanh ? tanh_backward : relu_backward;
  in_blocks(threads_, rows, kTogether, [&](int64_t begin, int64_t end) {
    const int64_t first = begin * width();
    function(outputs_.data() + first, (end - begin) * width(), y_gradient + first);
  });
}

void DenseLayer::backward(const float* x, int64_t x_stride, int64_t rows, float* y_gradient,
                          float* x_gradient) {
  static constexpr float kOne = 1;
  pass_activation(rows, y_gradient);
  if (x_gradient != nullptr) {
    score_tables({y_gradient, rows}, {weights(), inputs()}, width(), {x_gradient, x_stride},
                 threads_);
  }
  // dJ/dW = xᵀ · dJ/dy, and for b the same with x = 1.
  std::fill_n(changes_.data(), inputs() * width(), 0.0F);
  mix_tables({x, 1, x_stride}, inputs(), {y_gradient, rows}, width(), changes_.data(), threads_);
  mix_rows({&kOne, 0, 0}, 1, {y_gradient, rows}, width(), changes_.data() + inputs() * width(),
           false);
  take_steps();
}

// From the gradients in changes_ to new parameters.
void DenseLayer::take_steps() {
  if (optimizer_) {
    optimizer_->changes(ids_.data(), parameters_.rows(), weights_.data(), changes_.data());
    return scatter_add(parameters_, ids_.data(), parameters_.rows(), changes_.data(), kMaxStep);
  }
  in_blocks(threads_, parameters_.rows(), kTogether, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      float* const change = changes_.data() + i * width();
      take_row_step(settings_, 1, moments_, i, width(), parameters_.row(i), change);
      scatter_add(parameters_, &ids_[static_cast<size_t>(i)], 1, change, kMaxStep);
    }
  });
}

}  // namespace acevec
