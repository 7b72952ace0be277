// Sentences as last states of a gated recurrent unit, with the gradient through time.
#pragma once

#include <cstdint>
#include <vector>

#include "nn/gru.h"
#include "tasks/sentence/batch.h"

namespace acevec {

class GruBatch : public SentenceBatch {
 public:
  GruBatch(std::vector<TrainedNetwork> networks, const OptimizerSettings& rows,
           const OptimizerSettings& gates, const BatchLimits& limits, int threads);

  // What it needs beside a SentenceBatch, in bytes.
  static int64_t bytes(int64_t size, int64_t networks, const BatchLimits& limits);

  void forward() override;

 private:
  // The unit of one network, and its sentences, which follow each other.
  struct Reader {
    TrainedNetwork trained;
    Gru gru;
    AlignedFloats gate_changes;
    int64_t sentence = 0, occurrence = 0;  // the first
  };

  void push_down(int64_t number, float rate) override;
  void add_gradients() override;
  void arrange();
  template <class Body>
  void for_each_block(int64_t (Gru::*blocks)() const, const Body& body);
  void step_gates(Reader& reader, int32_t begin, int32_t end, int64_t number);

  OptimizerSettings gate_settings_;
  std::vector<Reader> readers_;  // of each network
};

}  // namespace acevec
