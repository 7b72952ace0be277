// Sentences as last states of a gated recurrent unit, with the gradient through time.
#pragma once

#include <cstdint>
#include <vector>

#include "nn/gru.h"
#include "tasks/sentence/batch.h"

namespace acevec {

class GruBatch : public SentenceBatch {
 public:
  GruBatch(Network& network, NetworkMoments& moments, const OptimizerSettings& rows,
           const OptimizerSettings& gates, const BatchLimits& limits);

  // What it needs beside a SentenceBatch, in bytes.
  static int64_t bytes(int64_t size, const BatchLimits& limits);

 private:
  void encode() override;
  void push_down(int64_t step, float rate) override;

  Matrix& gates_;
  Optimizer gate_optimizer_;
  std::vector<int32_t> gate_ids_;  // all rows of gates_
  AlignedFloats parameters_, parameter_changes_;
  Gru gru_;
  std::vector<const float*> rows_;  // of each occurrence
  std::vector<float*> row_changes_;
};

}  // namespace acevec
