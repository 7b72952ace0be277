// A dense layer, y = f(x W + b), on blocks of rows: forward, and backward with an optimizer step.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/random.h"
#include "math/aligned.h"
#include "math/matrix.h"
#include "optim/optimizer.h"

namespace acevec {

// The function f. Generators use tanh, not ReLU: its slope is 1 at 0, where skip-gram's context
// vectors start, and its bound keeps logits bounded however far the discriminator's vectors grow.
enum class Activation : uint8_t { kTanh, kRelu, kNone };

// With kShared, each thread has its own object with copies of W and b, and all share the matrix as
// described in kernels/hogwild.h. Otherwise there is one object, whose work a team of threads
// shares; results do not depend on the number of threads.
class DenseLayer {
 public:
  static constexpr int kShared = 0;  // as the number of threads: the object is one of many

  // Returns initial parameters, W over b: (inputs + 1) × columns. The weights of the first `units`
  // columns are random; all others are 0 and stay 0 in columns whose output gradients are 0.
  static Matrix parameters(int64_t inputs, int64_t units, int64_t columns, Random& random);

  // `moments` belongs to `parameters`, see Optimizer. `threads`: size of the team, or kShared.
  DenseLayer(Matrix& parameters, Matrix& moments, const OptimizerSettings& settings,
             int64_t most_rows, Activation activation = Activation::kTanh, int threads = kShared);

  // A layer that is not trained.
  struct Weights {
    const float* data;  // W over b without gaps, `width` floats per row
    int64_t inputs;
    int64_t width;
    Activation activation;
  };

  // Computes y, rows × width.
  static void apply(const Weights& layer, const float* x, int64_t x_stride, int64_t rows, float* y,
                    int threads = 1);

  void set_rate(float rate) {
    settings_.rate = rate;
    if (optimizer_) optimizer_->set_rate(rate);
  }

  int64_t inputs() const { return parameters_.rows() - 1; }
  int64_t width() const { return parameters_.stride(); }  // floats per row of outputs

  // Loads W and b and computes y for rows of x, `x_stride` floats apart; columns from inputs() on
  // are not read. y is rows × width(), valid until the next call; its padding is 0.
  float* forward(const float* x, int64_t x_stride, int64_t rows);

  const float* outputs() const { return outputs_.data(); }  // y of the last forward()

  // After forward() for the same x: takes dJ/dy (rows × width(), overwritten), writes dJ/dx for the
  // first inputs() columns unless `x_gradient` is null, and updates W and b by one step.
  void backward(const float* x, int64_t x_stride, int64_t rows, float* y_gradient,
                float* x_gradient);

 private:
  const float* weights() const {
    return threads_ == kShared ? weights_.data() : parameters_.row(0);
  }
  void take_steps(int64_t begin, int64_t count, float* gradients);

  Matrix& parameters_;
  Matrix& moments_;
  OptimizerSettings settings_;
  Activation activation_;
  int threads_;
  std::optional<Optimizer> optimizer_;  // only with kShared
  std::vector<int32_t> ids_;            // all rows of parameters_
  AlignedFloats weights_;               // copies, only with kShared
  AlignedFloats changes_;               // gradients of each thread's current rows
  AlignedFloats outputs_;
};

}  // namespace acevec
