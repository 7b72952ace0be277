// A gated recurrent unit over many sequences at once, forward and backward through time (Cho et al.
// 2014, with the reset gate behind the product as in cuDNN, so that one product serves all gates):
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

// Sequences of about the same length are a block, whose work threads may do at the same time as
// that of other blocks. In products the steps of a block stand in the order of time: those of all
// its sequences at step 0, the longest first, then of all that have a step 1, and so on. So each
// step is a few rows that follow each other, and its products are dense.
//
// The object has no parameters of its own; its buffers grow to the largest call.
class Gru {
 public:
  Gru(int64_t inputs, int64_t units);

  // All parameters: `inputs` rows of W, `units` rows of U and the row of biases, each with the
  // three gates r, z and n, padded(units) numbers apart. Random numbers within ±1/√units; the
  // biases are 0.
  static Matrix parameters(int64_t inputs, int64_t units, Random& random);
  static int64_t parameter_rows(int64_t inputs, int64_t units) { return inputs + units + 1; }
  static int64_t parameter_columns(int64_t units) { return 3 * padded(units); }

  // Reserves what forward() and backward() need for so many steps of all sequences together, so
  // that no call asks for more.
  void reserve(int64_t sequences, int64_t steps);

  int64_t width() const { return width_; }  // floats in a state, with padding

  // Begins with new sequences, which are rows of a matrix; none is empty. What they point to stays
  // until the next call.
  void arrange(std::vector<std::span<const int32_t>> sequences);

  int64_t blocks() const { return std::ssize(blocks_); }  // the longest first

  // The last states of a block's sequences, each to its row of `last`, width() floats.
  // `parameters`: as above, without gaps. The first numbers of `rows` are read.
  void forward(const float* parameters, const Matrix& rows, int64_t block, float* last);

  // After forward() of the block, with the same parameters: from dL/dlast (0 in the padding) to
  // what the following two need.
  void backward(const float* parameters, const float* last_gradient, int64_t block);

  // dL/dinput of a step, padded(inputs) floats; steps are counted from the first sequence's first.
  const float* input_gradient(int64_t step) const {
    return x_gradient_.data() + places_[static_cast<size_t>(step)] * padded(inputs_);
  }

  // After backward() of all blocks: writes dL/dparameters of one block of their rows to `gradient`,
  // which has the parameters' shape. Returns which rows these are.
  int64_t parameter_blocks() const;
  Span parameter_gradient(int64_t block, float* gradient) const;

 private:
  // Sequences first .. last − 1 of order_. Their steps at time t are first_[times + t] ..
  // first_[times + t + 1] − 1, for t < length.
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
  std::vector<int64_t> begins_;  // of each, its first step
  std::vector<size_t> order_;    // the longest sequence first
  std::vector<Block> blocks_;
  std::vector<int64_t> first_;
  std::vector<int64_t> places_;   // of each step, in the order of blocks and time
  AlignedFloats x_, x_gradient_;  // in that order, as all that follows
  AlignedFloats gates_;           // of each step: r, z, n; then dL/d what they are made of
  AlignedFloats recurrent_;       // h U; its part for n is kept, then dL/d(h U)
  AlignedFloats before_;          // h
  AlignedFloats down_, passed_;   // of each sequence of order_: dL/dh', and what its product adds
                                  // to dL/dh
};

}  // namespace acevec
