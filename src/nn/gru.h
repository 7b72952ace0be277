// A gated recurrent unit over many sequences at once, forward and backward through time (Cho et al.
// 2014, with the reset gate behind the product as in cuDNN, so that one product serves all gates):
//
//   r = σ(x Wr + h Ur + br)    z = σ(x Wz + h Uz + bz)    n = tanh(x Wn + r ∘ (h Un) + bn)
//   h' = (1 − z) ∘ n + z ∘ h,   h = 0 before the first step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "math/aligned.h"
#include "math/matrix.h"

namespace acevec {

// In products the steps of all sequences stand in the order of time: those of all sequences at step
// 0, the longest sequence first, then of all that have a step 1, and so on. So each step is a few
// rows that follow each other, a prefix of the sequences, and its products are dense.
//
// One object per thread, without parameters of its own; its buffers grow to the largest call.
class Gru {
 public:
  Gru(int64_t inputs, int64_t units);

  // All parameters: `inputs` rows of W, `units` rows of U and the row of biases, each with the
  // three gates r, z and n, padded(units) numbers apart. Random numbers within ±1/√units; the
  // biases are 0.
  static Matrix parameters(int64_t inputs, int64_t units, Random& random);
  static int64_t parameter_rows(int64_t inputs, int64_t units) { return inputs + units + 1; }
  static int64_t parameter_columns(int64_t units) { return 3 * padded(units); }

  // What forward() and backward() need for so many steps of all sequences together, in bytes.
  static int64_t bytes(int64_t inputs, int64_t units, int64_t sequences, int64_t steps);

  // Makes room for that, so that no call asks for more memory.
  void reserve(int64_t sequences, int64_t steps);

  int64_t width() const { return width_; }  // floats in a state, with padding

  // `parameters`: as above, without gaps. `inputs`: the row of each step, `inputs` numbers, one
  // sequence after the other. `ends`: where each sequence ends there; none is empty.
  void forward(const float* parameters, const std::vector<const float*>& inputs,
               const std::vector<size_t>& ends);

  // The last state of a sequence, valid until the next forward(); they follow each other.
  const float* last(int64_t sequence) const { return last_.data() + sequence * width_; }

  // After forward() for the same parameters: from dL/dlast of each sequence (sequences × width(), 0
  // in the padding) to dL/dparameters, in the parameters' shape, and to dL/dinputs, which is added
  // to the row of each step.
  void backward(const float* parameters, const float* last_gradient,
                const std::vector<float*>& input_gradients, float* parameter_gradient);

 private:
  void arrange(const std::vector<size_t>& ends);
  int64_t steps() const { return std::ssize(steps_); }
  int64_t active(size_t t) const { return first_[t + 1] - first_[t]; }

  int64_t inputs_, units_, width_;
  std::vector<size_t> sequences_;  // the longest first
  std::vector<size_t> steps_;      // the caller's place of each step, in the order of time
  std::vector<int64_t> first_;     // of each time its first row, and where the last one ends
  AlignedFloats x_, x_gradient_;   // in the order of time, as all that follows
  AlignedFloats gates_;            // of each step: r, z, n; then dL/d what they are made of
  AlignedFloats recurrent_;        // h U; its part for n is kept, then dL/d(h U)
  AlignedFloats before_;           // h
  AlignedFloats last_;             // in the caller's order
  AlignedFloats down_, passed_;    // dL/dh' of each sequence, and what its product adds to dL/dh
};

}  // namespace acevec
