#include "nn/layer.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/activations.h"
#include "kernels/hogwild.h"
#include "kernels/products.h"
#include "math/large_products.h"

namespace acevec {

namespace {

// Longest step that one row of W may take at once; sound steps are far shorter.
constexpr float kMaxStep = 1.0F;

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
                       int64_t most_rows, Activation activation)
    : parameters_(parameters),
      optimizer_(settings, moments, parameters.stride(), parameters.rows()),
      activation_(activation),
      ids_(static_cast<size_t>(parameters.rows())),
      weights_(parameters.rows() * width()),
      changes_(parameters.rows() * width()),
      outputs_(most_rows * width()) {
  std::iota(ids_.begin(), ids_.end(), 0);
}

int64_t DenseLayer::bytes(int64_t inputs, int64_t width, const OptimizerSettings& settings,
                          int64_t most_rows) {
  return (2 * (inputs + 1) + most_rows) * width * kFloatSize +
         Optimizer::moment_bytes(settings, inputs + 1, width);
}

void DenseLayer::apply(const Weights& layer, const float* x, int64_t x_stride, int64_t rows,
                       float* y) {
  const auto& [weights, inputs, width, activation] = layer;
  const float* const bias = weights + inputs * width;
  for (int64_t i = 0; i < rows; ++i) std::copy_n(bias, width, y + i * width);
  mix_tables({x, x_stride, 1}, rows, {weights, inputs}, width, y);
  switch (activation) {
    case Activation::kTanh:
      return tanh_rows(y, rows * width);
    case Activation::kRelu:
      return relu_rows(y, rows * width);
    case Activation::kNone:
      return;
  }
}

float* DenseLayer::forward(const float* x, int64_t x_stride, int64_t rows) {
  gather_rows(parameters_, ids_.data(), parameters_.rows(), weights_.data());
  apply({weights_.data(), inputs(), width(), activation_}, x, x_stride, rows, outputs_.data());
  return outputs_.data();
}

void DenseLayer::backward(const float* x, int64_t x_stride, int64_t rows, float* y_gradient,
                          float* x_gradient) {
  static constexpr float kOne = 1;
  const int64_t size = rows * width();
  if (activation_ == Activation::kTanh) {
    tanh_backward(outputs_.data(), size, y_gradient);
  } else if (activation_ == Activation::kRelu) {
    relu_backward(outputs_.data(), size, y_gradient);
  }
  if (x_gradient != nullptr) {
    score_tables({y_gradient, rows}, {weights_.data(), inputs()}, width(), {x_gradient, x_stride});
  }
  // dJ/dW = xᵀ · dJ/dy, and for b the same with x = 1.
  std::fill_n(changes_.data(), inputs() * width(), 0.0F);
  mix_tables({x, 1, x_stride}, inputs(), {y_gradient, rows}, width(), changes_.data());
  mix_rows({&kOne, 0, 0}, 1, {y_gradient, rows}, width(), changes_.data() + inputs() * width(),
           false);
  optimizer_.changes(ids_.data(), parameters_.rows(), weights_.data(), changes_.data());
  scatter_add(parameters_, ids_.data(), parameters_.rows(), changes_.data(), kMaxStep);
}

}  // namespace acevec
