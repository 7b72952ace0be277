// A gated recurrent unit over many sequences at once, forward and backward through time (Cho et al.
// 2014, with the reset gate after the product as in cuDNN, so that one product serves all gates):
//
//   r = σ(x Wr + h Ur + br)    z = σ(x Wz + h Uz + bz)    n = tanh(x Wn + r ∘ (h Un) + bn)
//   h' = (1 − z) ∘ n + z ∘ h,   h = 0 before the first step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "kernels/products.h"
#include "math/aligned.h"
#include "math/matrix.h"

namespace acevec {

// Sequences of about the same length form a block; threads can process blocks in parallel. In
// products, the steps of a block are ordered by time: step 0 of all its sequences, longest first,
// then step 1 of those that have one, and so on. So each step is a few consecutive rows, and its
// products are dense.
//
// The object owns no parameters; its buffers grow to the largest call.
class Gru {
 public:
  Gru(int64_t inputs, int64_t units);

  // Initial parameters: `inputs` rows of W, `units` rows of U and one of biases, each with gates r,
  // z and n, padded(units) numbers apart. Weights are random within ±1/√units; biases are 0.
  static Matrix parameters(int64_t inputs, int64_t units, Random& random);
  static int64_t parameter_rows(int64_t inputs, int64_t units) { return inputs + units + 1; }
  static int64_t parameter_columns(int64_t units) { return 3 * padded(units); }

  // Reserves the buffers of forward() and backward() for `steps` steps of all sequences together.
  void reserve(int64_t sequences, int64_t steps);

  int64_t width() const { return width_; }  // floats in a state, including padding

  // Sets the sequences: non-empty lists of rows of a matrix, valid until the next call.
  void arrange(std::vector<std::span<const int32_t>> sequences);

  int64_t blocks() const { return std::ssize(blocks_); }  // longest sequences first

  // Writes the last state of each of a block's sequences to its row of `last`, width() floats.
  // `parameters`: as above, without gaps. Reads the first `inputs` numbers of each of `rows`.
  void forward(const float* parameters, const Matrix& rows, int64_t block, float* last);

  // After forward() of the block, with the same parameters: propagates dL/dlast (0 in the padding)
  // to what input_gradient() and parameter_gradient() need.
  void backward(const float* parameters, const float* last_gradient, int64_t block);

  // dL/dinput of a step, padded(inputs) floats; steps are numbered through all sequences.
  const float* input_gradient(int64_t step) const {
    return x_gradient_.data() + places_[static_cast<size_t>(step)] * padded(inputs_);
  }

  // After backward() of all blocks: writes dL/dparameters of one block of parameter rows to
  // `gradient`, which has the parameters' shape. Returns the range of these rows.
  int64_t parameter_blocks() const;
  Span parameter_gradient(int64_t block, float* gradient) const;

 private:
  // Sequences first .. last − 1 of order_; steps at time t ≤ length begin at first_[times + t].
  struct Block {
    size_t first, last, times, length;
  };

  int64_t steps() const { return std::ssize(places_); }
  std::span<const int64_t> times_of(const Block& block) const {
    return std::span(first_).subspan(block.times, block.length + 1);
  }
  void read(const float* parameters, const Matrix& rows, const Block& block);

  int64_t inputs_, units_, width_;
  std::vector<std::span<const int32_t>> sequences_;
  std::vector<int64_t> begins_;  // first step of each sequence
  std::vector<size_t> order_;    // longest sequence first
  std::vector<Block> blocks_;
  std::vector<int64_t> first_;
  std::vector<int64_t> places_;   // index of each step in block and time order
  AlignedFloats x_, x_gradient_;  // in that order, like all below
  AlignedFloats gates_;           // r, z, n of each step; then the gradients of their arguments
  AlignedFloats recurrent_;       // h U; the part for n is kept, then dL/d(h U)
  AlignedFloats before_;          // h
  AlignedFloats h_gradient_, h_product_;  // of each sequence of order_: dL/dh', and its product
};

}  // namespace acevec
