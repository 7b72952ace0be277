// The networks' part in a step: sentences in, vectors out, their gradients back into parameters.
#pragma once

#include <algorithm>
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
  int threads = 1;      // of the team that shares a step
  uint64_t seed = 1;
  std::optional<SentenceAdversarySettings>
      adversary;  // of sentences that ask; first sides of pairs

  // For training on neighbours.
  int64_t passage = 8;  // sentences of a step that follow each other in a document
  int64_t context = 1;  // a sentence's targets are as many before it and after it
  int64_t block = 0;    // above 0: compare_blocks() with so many targets replaces pick_targets()

  // For training on pairs and labels.
  float scale = 12;  // of cosines, in the softmax
  float anchor = 3;  // a row that a step touches returns to its start by anchor · rate of the
                     // way, which keeps what the start has from other texts
  int64_t hard = 1;  // a pair may bring one of this many wrong texts nearest to its first side

  // How many of so many items are held out, about: chance decides on each.
  int64_t expected_heldout(int64_t items) const {
    return static_cast<int64_t>(heldout * static_cast<double>(items));
  }
  int64_t expected_trained(int64_t items) const { return items - expected_heldout(items); }
};

// How training on labels steps where no options say it: see docs/experiments/labels.md.
//
// A batch for so many texts: 32 steps an epoch while they are few. Frequent words, which more of
// these touch than of fewer steps, then learn more than rare ones.
inline constexpr int64_t kUsualLabelSteps = 32;
constexpr int64_t default_label_batch(int64_t texts) {
  return std::clamp<int64_t>(texts / kUsualLabelSteps, 8, 256);
}

// The rate at the start, to four digits behind the point, at most 0.1; all are at least 1. What a
// run learns depends on the product of its rate and its steps, whatever its epochs: if it is too
// small, scores stay near 0; if it is too large, rare words learn their few texts by heart. The
// best product is near the cube root of the number of labels, since a score must stand out among
// more, and grows with the square root of the steps of an epoch where they are more than the usual
// ones.
double default_label_rate(int64_t labels, int64_t epochs, int64_t steps_of_epoch);

// The parameter a of the first weights (MeanSettings) without word vectors. Few texts show too
// rarely which frequent words tell labels apart, so that these start with less weight.
constexpr double default_label_a(int64_t texts) {
  return std::clamp(2e-6 * static_cast<double>(texts), 3e-4, 0.01);
}

// The optimizers' moments of a network.
struct NetworkMoments {
  explicit NetworkMoments(const Network& network);

  Matrix rows, gates;
};

struct TrainedNetwork {
  Network& network;
  NetworkMoments& moments;
};

// The optimizers of rows, which are touched too rarely for momentum, and of parameters that every
// step touches: a gated unit's, a classifier's.
inline constexpr OptimizerSettings kRowOptimizer{.beta1 = 0};
inline constexpr OptimizerSettings kGateOptimizer;

// The most that a step can have.
struct BatchLimits {
  int64_t sentences;
  int64_t rows;  // occurrences of rows
};

// The sum of the `most` largest counts, or of all.
int64_t sum_of_largest(std::vector<int64_t> counts, int64_t most);

// A step: add() every sentence, forward(), gradients, perhaps backward(), clear(). A team of
// threads shares its work. Parameters change in backward() alone, by one step each, whichever
// sentences of whichever network need them.
class SentenceBatch {
 public:
  // `networks`: f and g, or the one that is both. Sentences must be added in that order.
  SentenceBatch(std::vector<TrainedNetwork> networks, const OptimizerSettings& rows,
                const BatchLimits& limits, int threads);
  virtual ~SentenceBatch() = default;

  // Adds a sentence of at least one row. The rows must stay in place until clear().
  void add(size_t network, std::span<const int32_t> rows);
  int64_t count() const { return std::ssize(sentences_); }

  // Floats in a vector; its padding is 0.
  int64_t width() const { return step_rows_.width(); }

  virtual void forward() = 0;
  const float* vector(int64_t i) const { return vectors_.data() + i * width(); }

  // dL/dvector of each sentence: write it, and then call take_gradient(), before backward(). Places
  // that are 0 in all vectors are ignored. Several threads may do this at once.
  float* gradient(int64_t i) { return gradients_.data() + i * width(); }
  virtual void take_gradient(int64_t /*i*/) {}

  // Until clear(), backward() must not be given up (give_up_if_stopped), since something else has
  // already learned from the batch.
  void must_finish() { may_give_up_ = false; }

  // Takes step `number` of the run, from 1, of all parameters. `bound` applies to rows.
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

  // Turns gradients of vectors into those of rows, by step_rows_.accumulate(), and takes step
  // `number` of all other parameters.
  virtual void add_gradients(int64_t number, float rate) = 0;

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

// Makes the batch for the model's kind of network.
std::unique_ptr<SentenceBatch> make_batch(const SentenceShape& shape,
                                          std::vector<TrainedNetwork> networks,
                                          const BatchLimits& limits, int threads);

// The approximate bytes that a step of the networks takes in training.
int64_t batch_bytes(const SentenceShape& shape, int64_t words, const BatchLimits& limits);

// The approximate memory of all kinds of training: networks, a copy of the best ones, words, and
// moments, which take memory only for the `trained` words.
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
  void add_gradients(int64_t number, float rate) override;
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

  void add_gradients(int64_t number, float rate) override;
  void arrange();
  template <class Body>
  void for_each_block(int64_t (Gru::*blocks)() const, const Body& body);
  void step_gates(Reader& reader, Span rows, int64_t number);

  OptimizerSettings gate_settings_;
  std::vector<Reader> readers_;  // of each network
};

}  // namespace acevec
