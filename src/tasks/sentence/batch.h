// The networks' part of a step: encodes sentences and backpropagates gradients to parameters.
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

namespace acevec {

struct SentenceSettings {
  int64_t batch = 128;  // sentences, pairs or labelled texts per step
  double heldout = 0;   // held-out share of documents, pairs or labelled texts
  int threads = 1;      // threads that share a step
  uint64_t seed = 1;
  std::optional<SentenceAdversarySettings> adversary;  // weighs the candidates of a row

  // For training on neighbours.
  int64_t passage = 8;  // consecutive sentences of a document in a step
  int64_t context = 1;  // a sentence's targets are this many before and after it
  int64_t block = 0;    // above 0: block_loss() with this many targets replaces softmax_loss()

  // For training on pairs and labels.
  float scale = 12;  // factor of cosines in the softmax
  float anchor = 3;  // decay towards the start: a row that a step changes moves by anchor · rate
                     // of the way back, which retains what it knows from other texts
  int64_t hard = 1;  // a pair may add one of this many wrong texts nearest to its first side

  // The expected number of items that are not held out, which is random for each.
  int64_t expected_trained(int64_t items) const {
    return items - static_cast<int64_t>(heldout * static_cast<double>(items));
  }
};

// Defaults of training on labels: see docs/experiments/labels.md.
//
// The default batch size: 32 steps per epoch while there are few texts. With more steps, frequent
// words, which are in more batches than rare ones, would learn more than these.
inline constexpr int64_t kUsualLabelSteps = 32;
constexpr int64_t default_label_batch(int64_t texts) {
  return std::clamp<int64_t>(texts / kUsualLabelSteps, 8, 256);
}

// The default initial learning rate, rounded to four decimals, at most 0.1; all arguments are at
// least 1. The result depends on rate × steps, not on the epochs: if it is too small, scores stay
// near 0; if it is too large, rare words overfit their few texts. The best product is near the cube
// root of the number of labels, since a score must exceed those of all others, and grows with the
// square root of the steps per epoch beyond the usual ones, and with label_rate_factor().
double default_label_rate(int64_t labels, int64_t epochs, int64_t steps_of_epoch, double factor);

// A factor of the default rate without word vectors, 1 to 2, which is larger for long texts, in
// whose mean a word counts less, and for labels that are rarer than others, which few steps learn.
// Arguments: the number of texts that have each label, all above 0, and the mean number of tokens
// that training reads of a text.
double label_rate_factor(std::span<const int64_t> texts_of_label, double tokens_of_text);

// The parameter a of the initial weights (MeanSettings) without word vectors. Few texts show too
// rarely which frequent words discriminate between labels, so these start with less weight.
constexpr double default_label_a(int64_t texts) {
  return std::clamp(2e-6 * static_cast<double>(texts), 3e-4, 0.01);
}

struct NetworkMoments {
  explicit NetworkMoments(const Network& network);

  Matrix rows, gates;
};

struct TrainedNetwork {
  Network& network;
  NetworkMoments& moments;
};

// The optimizers of rows, which are updated too rarely for momentum, and of parameters that every
// step updates: those of gated units and of classifiers.
inline constexpr OptimizerSettings kRowOptimizer{.beta1 = 0};
inline constexpr OptimizerSettings kGateOptimizer;

// The limits of a step.
struct BatchLimits {
  int64_t sentences;
  int64_t rows;  // occurrences of rows
};

// The sum of the `most` largest counts, or of all if there are fewer.
int64_t sum_of_largest(std::vector<int64_t> counts, int64_t most);

// A step: add() every sentence, forward(), gradients, optionally backward(), clear(). A team of
// threads shares the work. Parameters change only in backward(), by one step each, whichever
// sentences of either network need them.
class SentenceBatch {
 public:
  // `networks`: f and g, or the one network that is both. Sentences must be added in that order.
  SentenceBatch(std::vector<TrainedNetwork> networks, const OptimizerSettings& rows,
                const BatchLimits& limits, int threads);
  virtual ~SentenceBatch() = default;

  // Adds a sentence of at least one row. `rows` must stay valid until clear().
  void add(size_t network, std::span<const int32_t> rows) {
    sentences_.push_back({rows, network, occurrences_});
    occurrences_ += std::ssize(rows);
  }
  int64_t count() const { return std::ssize(sentences_); }

  int64_t width() const { return step_rows_.width(); }  // floats in a vector; its padding is 0

  virtual void forward() = 0;
  const float* vector(int64_t i) const { return vectors_.data() + i * width(); }

  // dL/dvector of each sentence: write it, then call take_gradient(), before backward(). Columns
  // that are 0 in all vectors are ignored. Safe for concurrent use with different i.
  float* gradient(int64_t i) { return gradients_.data() + i * width(); }
  virtual void take_gradient(int64_t /*i*/) {}

  // Until clear(), keeps backward() from being interrupted (interrupt_if_stopped()), since the
  // adversary has already learned from the batch.
  void forbid_interruption() { interruptible_ = false; }

  // Takes step `number` ≥ 1 of the run, for all parameters. `bound` applies to rows.
  void backward(int64_t number, float rate, const StepRows::Bound& bound = nullptr);

  void clear() {
    sentences_.clear();
    occurrences_ = 0;
    interruptible_ = true;
  }

 protected:
  struct Sentence {
    std::span<const int32_t> rows;
    size_t network;
    int64_t first;  // index of its first occurrence
  };

  const Sentence& sentence(int64_t i) const { return sentences_[static_cast<size_t>(i)]; }
  const Network& network_of(const Sentence& sentence) const {
    return networks_[sentence.network].network;
  }

  // Backpropagates gradients of vectors to rows, by step_rows_.accumulate(), and takes step
  // `number` of all other parameters.
  virtual void add_gradients(int64_t number, float rate) = 0;

  void list_rows(int64_t i);  // of sentence i, for the step

  std::vector<TrainedNetwork> networks_;
  int threads_;
  StepRows step_rows_;
  std::vector<Sentence> sentences_;
  int64_t occurrences_ = 0;
  bool interruptible_ = true;
  AlignedFloats vectors_, gradients_;

 private:
  std::vector<int32_t> rows_;  // row of each occurrence, as numbered by StepRows
};

// Makes the batch for the model's kind of network.
std::unique_ptr<SentenceBatch> make_batch(const SentenceShape& shape,
                                          std::vector<TrainedNetwork> networks,
                                          const BatchLimits& limits, int threads);

// v = Σ_i a_i x_i / Σ_i a_i with a = exp(θ); θ follows x in each row, and its column is 0 in v.
class BagBatch : public SentenceBatch {
 public:
  BagBatch(std::vector<TrainedNetwork> networks, const OptimizerSettings& rows,
           const BatchLimits& limits, int threads);

  void forward() override;
  void take_gradient(int64_t i) override;

 private:
  void add_gradients(int64_t number, float rate) override;
  void encode(int64_t i);

  int64_t log_weight_;              // column of θ
  std::vector<float> projections_;  // dL/dv · v of each sentence
  std::vector<float> weights_;      // weights of occurrences; they sum to 1 in a sentence
  std::vector<int32_t> sentence_of_;
};

class GruBatch : public SentenceBatch {
 public:
  GruBatch(std::vector<TrainedNetwork> networks, const OptimizerSettings& rows,
           const OptimizerSettings& gates, const BatchLimits& limits, int threads);

  void forward() override;

 private:
  // The unit of one network, and its sentences, which are consecutive.
  struct Reader {
    TrainedNetwork trained;
    Gru gru;
    AlignedFloats gate_changes;
    int64_t sentence = 0, occurrence = 0;  // first ones
  };

  void add_gradients(int64_t number, float rate) override;
  void arrange();
  template <class Body>
  void for_each_block(int64_t (Gru::*blocks)() const, const Body& body);
  void step_gates(Reader& reader, Span rows, int64_t number);

  OptimizerSettings gate_settings_;
  std::vector<Reader> readers_;  // one per network
};

}  // namespace acevec
