// The networks' part in a step: sentences in, vectors out, their gradients back into parameters.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "math/aligned.h"
#include "nn/gru.h"
#include "optim/step_rows.h"
#include "tasks/sentence/adversary.h"
#include "tasks/sentence/model.h"
#include "train/memory_plan.h"

namespace acevec {

// How sentence encoders are trained.
struct SentenceSettings {
  int64_t batch = 128;  // sentences, pairs or labelled texts in a step
  double heldout = 0;   // share of the documents, pairs or labelled texts
  int threads = 1;      // that share a step
  uint64_t seed = 1;
  std::optional<SentenceAdversarySettings>
      adversary;  // of sentences that ask; first sides of pairs

  // Of neighbours.
  int64_t passage = 8;  // sentences of a step that follow each other in a document
  int64_t context = 1;  // a sentence's targets are as many before it and after it
  int64_t block = 0;    // above 0: compare_blocks() of so many targets, not pick_targets()

  // Of pairs and labels.
  float scale = 12;  // of cosines, in the softmax
  float anchor = 3;  // a row that a step touches goes back to its start by anchor · rate of the
                     // way, so that what the start knows of other texts stays
  int64_t hard = 1;  // of the so many wrong texts nearest to a pair's first side it may bring one
};

// What the optimizers remember of a network.
struct NetworkMoments {
  explicit NetworkMoments(const Network& network);

  Matrix rows, gates;
};

struct TrainedNetwork {
  Network& network;
  NetworkMoments& moments;
};

// The optimizer of rows, and that of a gated unit's parameters, which every step touches.
OptimizerSettings row_optimizer();
OptimizerSettings gate_optimizer();

// What a step has at most.
struct BatchLimits {
  int64_t sentences;
  int64_t rows;  // occurrences of rows
};

// A step: add() every sentence, forward(), gradients, perhaps backward(), clear(). A team of
// threads shares its work. Parameters change in backward() alone, by one step each, whichever
// sentences of whichever network need them.
class SentenceBatch {
 public:
  // `networks`: f and g, or the one that is both; in that order sentences are added.
  SentenceBatch(std::vector<TrainedNetwork> networks, const OptimizerSettings& rows,
                const BatchLimits& limits, int threads);
  virtual ~SentenceBatch() = default;

  // A sentence of at least one row, which stay where they are until clear().
  void add(size_t network, std::span<const int32_t> rows);
  int64_t count() const { return std::ssize(sentences_); }

  // Floats in a vector, whose padding is 0.
  int64_t width() const { return step_rows_.width(); }

  virtual void forward() = 0;
  const float* vector(int64_t i) const { return vectors_.data() + i * width(); }

  // dL/dvector of each sentence, to be written, and then taken, before backward(). What is in
  // places that are 0 in all vectors does not matter. Several threads may do so at once.
  float* gradient(int64_t i) { return gradients_.data() + i * width(); }
  virtual void take_gradient(int64_t /*i*/) {}

  // From now on, until clear(), backward() is not given up (give_up_if_stopped): something else has
  // learned from the batch already.
  void must_finish() { may_give_up_ = false; }

  // Step `number` of the run, from 1, of all parameters. `bound`: of rows.
  void backward(int64_t number, float rate, const StepRows::Bound& bound = nullptr);

  void clear();

 protected:
  struct Sentence {
    std::span<const int32_t> rows;
    size_t network;
    int64_t first;  // occurrence
  };

  const Sentence& sentence(int64_t i) const { return sentences_[static_cast<size_t>(i)]; }
  const Network& network_of(const Sentence& sentence) const {
    return networks_[sentence.network].network;
  }

  // From gradients of vectors to what add_gradients() needs, and steps of all but rows.
  virtual void push_down(int64_t /*number*/, float /*rate*/) {}
  virtual void add_gradients() = 0;  // by step_rows_.accumulate()

  // Lists the rows of sentence i for the step.
  void list_rows(int64_t i);

  std::vector<TrainedNetwork> networks_;
  int threads_;
  StepRows step_rows_;
  std::vector<Sentence> sentences_;
  int64_t occurrences_ = 0;
  bool may_give_up_ = true;
  AlignedFloats vectors_, gradients_;

 private:
  std::vector<int32_t> rows_;  // of each occurrence, as StepRows counts them
};

// Of the kind that the model's networks are.
std::unique_ptr<SentenceBatch> make_batch(const SentenceShape& shape,
                                          std::vector<TrainedNetwork> networks,
                                          const BatchLimits& limits, int threads);

// About what training needs of a step of the networks, in bytes.
int64_t batch_bytes(const SentenceShape& shape, int64_t words, const BatchLimits& limits);

// About what all kinds of training need: networks, a copy of the best ones, words, and moments,
// whose memory is taken when the first of the `trained` words needs it.
MemoryPlan network_memory(const SentenceShape& shape, int64_t words, int64_t trained,
                          bool keep_best);

// v = Σ_i a_i x_i / Σ_i a_i with a = exp(θ), where θ stands behind the numbers of x in each row.
// The place of θ is 0 in vectors.
class BagBatch : public SentenceBatch {
 public:
  BagBatch(std::vector<TrainedNetwork> networks, const OptimizerSettings& rows,
           const BatchLimits& limits, int threads);

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

class GruBatch : public SentenceBatch {
 public:
  GruBatch(std::vector<TrainedNetwork> networks, const OptimizerSettings& rows,
           const OptimizerSettings& gates, const BatchLimits& limits, int threads);

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
