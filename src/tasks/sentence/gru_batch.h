// Sentences as last states of a gated recurrent unit, with the gradient through time.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "nn/gru.h"
#include "tasks/sentence/batch.h"
#include "tasks/sentence/time_order.h"

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
  std::vector<size_t> lengths_;
  std::optional<TimeOrder> order_;  // of this batch
  AlignedFloats inputs_;            // rows in the order of time; then their gradients
  AlignedFloats input_changes_;
  AlignedFloats last_changes_;  // of the last states, the longest sentence first
};

}  // namespace acevec
