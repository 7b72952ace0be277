// Sentences as weighted means of rows, with the gradient: one network's part in a step.
#pragma once

#include <cstdint>
#include <vector>

#include "math/aligned.h"
#include "optim/batch_rows.h"

namespace acevec {

// v = Σ_i a_i x_i / Σ_i a_i with a = exp(θ), where θ stands behind the numbers of x in each row.
//
// One object per thread and network. A step: add() every sentence, forward(), gradients, perhaps
// backward(), clear().
class BagBatch {
 public:
  // `most_rows`: occurrences of rows in a step; `most`: sentences.
  BagBatch(Matrix& rows, Matrix& moments, const OptimizerSettings& settings, int64_t most_rows,
           int64_t most);

  static int64_t bytes(int64_t rows, int64_t width, const OptimizerSettings& settings,
                       int64_t most_rows, int64_t most);

  // A sentence of at least one row.
  void add(const int32_t* rows, size_t count);
  int64_t count() const { return static_cast<int64_t>(ends_.size()); }
  int64_t width() const { return batch_.width(); }

  // Computes the means of all sentences; the place of θ is 0 in them, as the padding is.
  void forward();
  const float* mean(int64_t i) const { return means_.data() + i * width(); }

  // dL/dmean of each sentence, which backward() uses; 0 until something is added.
  float* gradient(int64_t i) { return gradients_.data() + i * width(); }

  // One step of all rows, number `step` from 1 over all threads.
  void backward(int64_t step, float rate);

  void clear();

 private:
  Matrix& rows_;
  BatchRows batch_;
  std::vector<int64_t> places_;  // of each occurrence, in floats
  std::vector<size_t> ends_;     // of each sentence's occurrences
  std::vector<float> weights_;   // of each occurrence, 1 in a sentence together
  AlignedFloats means_, gradients_;
};

}  // namespace acevec
