// Sentences as weighted means of rows, with the gradient.
#pragma once

#include <vector>

#include "kernels/bags.h"
#include "tasks/sentence/batch.h"

namespace acevec {

// v = Σ_i a_i x_i / Σ_i a_i with a = exp(θ), where θ stands behind the numbers of x in each row.
// The place of θ is 0 in vectors.
class BagBatch : public SentenceBatch {
 public:
  BagBatch(Matrix& rows, Matrix& moments, const OptimizerSettings& settings,
           const BatchLimits& limits);

 private:
  void encode() override;
  void push_down(int64_t step, float rate) override;

  BagRows rows_of(size_t begin, size_t end) const;  // of these occurrences

  int64_t log_weight_;          // the place of θ
  std::vector<float> weights_;  // of each occurrence, 1 in a sentence together
  std::vector<float> scores_;   // of each occurrence, with its sentence's gradient
};

}  // namespace acevec
