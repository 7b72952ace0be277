// Sentences as weighted means of rows, with the gradient.
#pragma once

#include <vector>

#include "tasks/sentence/batch.h"

namespace acevec {

// v = Σ_i a_i x_i / Σ_i a_i with a = exp(θ), where θ stands behind the numbers of x in each row.
// The place of θ is 0 in vectors.
class BagBatch : public SentenceBatch {
 public:
  BagBatch(std::vector<TrainedNetwork> networks, const OptimizerSettings& rows,
           const BatchLimits& limits, int threads);

  // What it needs beside a SentenceBatch, in bytes.
  static int64_t bytes(const BatchLimits& limits);

  void forward() override;
  void take_gradient(int64_t i) override;

 private:
  void add_gradients() override;
  void encode(int64_t i);

  int64_t log_weight_;          // the place of θ
  std::vector<float> along_;    // of each sentence: dL/dv · v
  std::vector<float> weights_;  // of each occurrence of a row: 1 in a sentence together
  std::vector<int32_t> sentence_of_;
};

}  // namespace acevec
