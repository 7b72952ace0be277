// A gated recurrent unit over many sequences at once, forward and backward through time (Cho et al.
// 2014, with the reset gate behind the product as in cuDNN, so that one product serves all gates):
//
//   r = σ(x Wr + h Ur + br)    z = σ(x Wz + h Uz + bz)    n = tanh(x Wn + r ∘ (h Un) + bn)
//   h' = (1 − z) ∘ n + z ∘ h,   h = 0 before the first step.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "math/aligned.h"
#include "math/matrix.h"

namespace acevec {

// The sequences' steps lie in the order of time: those of all sequences at step 0, then of all that
// have a step 1, and so on; the longest sequence is always the first. So each step is a few rows
// that follow each other, a prefix of the sequences, and its products are dense.
//
// One object per thread, without parameters of its own; its buffers grow to the largest call.
class Gru {
 public:
  Gru(int64_t inputs, int64_t units);

  // All parameters: `inputs` rows of W, `units` rows of U and the row of biases, each with the
  // three gates r, z and n, gate() numbers apart. Random numbers within ±1/√units; the biases are
  // 0.
  static Matrix parameters(int64_t inputs, int64_t units, Random& random);
  static int64_t parameter_rows(int64_t inputs, int64_t units) { return inputs + units + 1; }
  static int64_t parameter_columns(int64_t units) { return 3 * padded(units); }

  // What forward() and backward() need for so many steps of all sequences together, in bytes.
  static int64_t bytes(int64_t units, int64_t sequences, int64_t steps);

  // Makes room for that, so that no call asks for more memory.
  void reserve(int64_t sequences, int64_t steps);

  int64_t width() const { return width_; }  // floats in a state, with padding

  // `parameters`: as above, without gaps. `x`: a row of `x_stride` floats a step, of which the
  // first `inputs` count. `active`: how many sequences have step 0, step 1, ..., falling, none is
  // 0.
  void forward(const float* parameters, const float* x, int64_t x_stride,
               const std::vector<int64_t>& active);

  // The last state of a sequence, valid until the next forward().
  const float* last(int64_t sequence) const { return last_.data() + sequence * width_; }

  // After forward() for the same parameters and x: from dL/dlast of each sequence (sequences ×
  // width(), 0 in the padding) to dL/dx (rows of x_stride floats; the first `inputs` are written)
  // and to dL/dparameters, in the parameters' shape.
  void backward(const float* parameters, const float* x, int64_t x_stride,
                const float* last_gradient, float* x_gradient, float* parameter_gradient);

 private:
  int64_t inputs_, units_, width_;
  std::vector<int64_t> active_, first_;  // of each step: sequences, and its first row
  int64_t steps_ = 0;                    // of all sequences together
  AlignedFloats gates_;                  // of each step: r, z, n; then dL/d what they are made of
  AlignedFloats recurrent_;              // h U; its part for n is kept, then dL/d(h U)
  AlignedFloats before_;                 // h
  AlignedFloats last_;
  AlignedFloats down_, passed_;  // dL/dh' of each sequence, and what its product adds to dL/dh
  int64_t room_ = 0, last_room_ = 0;
};

}  // namespace acevec
