#include "nn/layer.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.h"
#include "kernels/activations.h"
#include "kernels/hogwild.h"
#include "kernels/products.h"
#include "math/table_products.h"

namespace acevec {

namespace {

constexpr float kMaxStep = 1.0F;  // the longest step of a row of W; sound ones are far shorter

// Rows that a thread processes together: their gradients stay in its caches until their step.
constexpr int64_t kRowsPerBlock = 16;

}  // namespace

Matrix DenseLayer::parameters(int64_t inputs, int64_t units, int64_t columns, Random& random) {
  Matrix matrix(inputs + 1, columns);
  // Glorot and Bengio 2010: keeps the variance of activations and gradients.
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
      changes_(std::max(threads, 1) * kRowsPerBlock * width()),
      outputs_(most_rows * width()) {
  std::iota(ids_.begin(), ids_.end(), 0);
  if (threads == kShared) optimizer_.emplace(settings, moments, width(), kRowsPerBlock);
}

void DenseLayer::apply(const Weights& layer, const float* x, int64_t x_stride, int64_t rows,
                       float* y, int threads) {
  const int64_t width = layer.width;
  const float* const bias = layer.data + layer.inputs * width;
  in_blocks(threads, rows, kRowsPerBlock, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) std::copy_n(bias, width, y + i * width);
  });
  mix_tables({x, x_stride, 1}, rows, {layer.data, layer.inputs}, width, y, threads);
  if (layer.activation == Activation::kNone) return;
  in_blocks(threads, rows, kRowsPerBlock, [&](int64_t begin, int64_t end) {
    const auto function = layer.activation == Activation::kTanh ? tanh_rows : relu_rows;
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

void DenseLayer::backward(const float* x, int64_t x_stride, int64_t rows, float* y_gradient,
                          float* x_gradient) {
  static constexpr float kOne = 1;
  if (activation_ != Activation::kNone) {  // dJ/dy -> dJ/d(x W + b), in place
    const auto function = activation_ == Activation::kTanh ? tanh_backward : relu_backward;
    in_blocks(threads_, rows, kRowsPerBlock, [&](int64_t begin, int64_t end) {
      const int64_t first = begin * width();
      function(outputs_.data() + first, (end - begin) * width(), y_gradient + first);
    });
  }
  if (x_gradient != nullptr) {
    score_tables({y_gradient, rows}, {weights(), inputs()}, width(), {x_gradient, x_stride},
                 threads_);
  }
  const int64_t blocks = (parameters_.rows() + kRowsPerBlock - 1) / kRowsPerBlock;
  for_each_piece(threads_, blocks, [&](int thread, int64_t block) {
    const int64_t begin = block * kRowsPerBlock;
    const int64_t end = std::min(begin + kRowsPerBlock, parameters_.rows());
    float* const gradients = changes_.data() + thread * kRowsPerBlock * width();
    // dJ/dW = xᵀ · dJ/dy, and for b the same with x = 1.
    const int64_t some = std::min(end, inputs()) - begin;
    mix_tables({x + begin, 1, x_stride}, some, {y_gradient, rows}, width(), gradients, 1, false);
    if (end > inputs()) {
      mix_rows({&kOne, 0, 0}, 1, {y_gradient, rows}, width(), gradients + some * width(), false);
    }
    take_steps(begin, end - begin, gradients);
  });
}

void DenseLayer::take_steps(int64_t begin, int64_t count, float* gradients) {
  const int32_t* const ids = ids_.data() + begin;
  const float* const values = weights() + begin * width();
  if (optimizer_) {
    optimizer_->changes(ids, count, values, gradients);
  } else {
    for (int64_t i = 0; i < count; ++i) {
      take_row_step(settings_, 1, moments_, begin + i, width(), values + i * width(),
                    gradients + i * width());
    }
  }
  scatter_add(parameters_, ids, count, gradients, kMaxStep);
}

}  // namespace acevec
