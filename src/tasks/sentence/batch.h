// One network's part in a step: sentences in, vectors out, their gradients back into parameters.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "math/aligned.h"
#include "optim/batch_rows.h"
#include "tasks/sentence/model.h"

namespace acevec {

// What the optimizers remember of a network.
struct NetworkMoments {
  explicit NetworkMoments(const Network& network);
  static int64_t bytes(const SentenceShape& shape, int64_t words);

  Matrix rows, gates;
};

// The optimizer of rows, and that of a gated unit's parameters, which every step touches.
OptimizerSettings row_optimizer();
OptimizerSettings gate_optimizer();

// What a batch has at most.
struct BatchLimits {
  int64_t sentences;
  int64_t rows;  // occurrences of rows
};

// One object per thread and network. A step: add() every sentence, forward(), gradients, perhaps
// backward(), clear().
class SentenceBatch {
 public:
  SentenceBatch(Matrix& rows, Matrix& moments, const OptimizerSettings& settings,
                const BatchLimits& limits);
  virtual ~SentenceBatch() = default;

  // A sentence of at least one row.
  void add(const int32_t* rows, size_t count);
  int64_t count() const { return static_cast<int64_t>(ends_.size()); }

  // Floats in a vector, whose padding is 0.
  int64_t width() const { return batch_.width(); }

  void forward();
  const float* vector(int64_t i) const { return vectors_.data() + i * width(); }

  // dL/dvector of each sentence, which backward() uses; 0 until something is added. What is in
  // places that are 0 in all vectors does not matter.
  float* gradient(int64_t i) { return gradients_.data() + i * width(); }

  // One step of all parameters, number `step` from 1 over all threads.
  void backward(int64_t step, float rate);

  void clear();

 protected:
  // From rows to vectors, and from gradients to those of rows (batch_.changes()).
  virtual void encode() = 0;
  virtual void push_down(int64_t step, float rate) = 0;

  BatchRows batch_;
  std::vector<int64_t> places_;  // of each occurrence, in floats
  std::vector<size_t> ends_;     // of each sentence's occurrences
  AlignedFloats vectors_, gradients_;
};

// Of the kind that the model's networks are.
std::unique_ptr<SentenceBatch> make_batch(const SentenceShape& shape, Network& network,
                                          NetworkMoments& moments, const BatchLimits& limits);

// What it needs, in bytes.
int64_t batch_bytes(const SentenceShape& shape, int64_t words, const BatchLimits& limits);

}  // namespace acevec
