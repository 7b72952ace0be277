// A training step: the texts of each pair pick each other in a batch, or texts pick their labels.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "math/matrix.h"
#include "nn/layer.h"
#include "tasks/sentence/adversary.h"
#include "tasks/sentence/batch.h"
#include "tasks/sentence/contrast.h"
#include "tasks/sentence/corpus.h"
#include "tasks/sentence/model.h"

namespace acevec {

// Weight decay towards the initial rows (Li, Grandvalet and Davoine 2018, "L2-SP"), decoupled from
// Adam's step as in AdamW, so that its factor is the same for all rows.
class Anchor {
 public:
  // Copies the present rows of the text's words. In a step a row moves towards its copy by
  // strength · rate of the way. `rows` must outlive the object.
  Anchor(const PairText& text, const Matrix& rows, float strength);

  // Adds the decay to the change of a row of the text.
  void add_decay(const float* row, float rate, float* change) const;

 private:
  const Matrix& rows_;
  float strength_;
  std::vector<int32_t> place_of_;  // index of each row in start_; −1: in no text
  Matrix start_;                   // copies of the rows of the text's words
};

// The limits of a step: pairs, additional hard pairs, and words of all of them.
struct PairLimits {
  int64_t pairs, hard, words;

  int64_t candidates() const { return pairs + hard; }
  BatchLimits texts() const { return {pairs + candidates(), words}; }
};

// A pair's loss is the mean of two softmax losses: its first side picks the second in the batch,
// and vice versa. Pairs that share a side with it are not candidates, since they are true too.
class PairStep {
 public:
  // Trains `model`, a tied bag; the text has its ids. `adversary` may be null. All must outlive it.
  PairStep(const PairText& text, const SentenceSettings& settings, SentenceModel& model,
           NetworkMoments& moments, const PairLimits& most, SentenceAdversary* adversary,
           const OptimizerSettings& rows = kRowOptimizer);

  // Takes step `number` ≥ 1 of the run. The sums are those of first sides, whose candidates include
  // the second sides of `hard` pairs; −1: none.
  Sums learn(std::span<const int64_t> pairs, std::span<const int64_t> hard, int64_t number,
             float rate);

 private:
  void gather(std::span<const int64_t> pairs, std::span<const int64_t> hard);
  void scale_to_cosines();
  void find_scores();
  Sums compute_gradients(int64_t number);
  void find_gradients();

  const float* unit(int64_t text) const { return units_.data() + text * batch_.width(); }

  const PairText& text_;
  const SentenceSettings& settings_;
  Anchor anchor_;
  AlignedFloats centre_;
  BagBatch batch_;  // first sides of all pairs, their second sides, then those of hard pairs
  SentenceAdversary* adversary_;
  int64_t count_ = 0;              // number of pairs
  std::vector<int64_t> pairs_;     // followed by hard pairs
  AlignedFloats units_;            // centred vectors of length 1
  std::vector<float> lengths_;     // lengths before normalisation
  std::vector<float> scores_;      // first × second
  std::vector<float> transposed_;  // second × first, without hard pairs
  std::vector<Mark> marks_, transposed_marks_;
};

// The loss of a text is −log of its label's probability, averaged over its labels. fastText's
// softmax loss has the same expectation.
class LabelStep {
 public:
  // Trains `model`, a tied bag with the labels of the text, which has its ids. `layer_moments`
  // belongs to model.classifier. `most`: texts of a batch, and their words. All must outlive it.
  LabelStep(const PairText& text, const SentenceSettings& settings, SentenceModel& model,
            NetworkMoments& moments, Matrix& layer_moments, const BatchLimits& most,
            const OptimizerSettings& rows = kRowOptimizer,
            const OptimizerSettings& layer = kGateOptimizer);

  // Takes step `number` ≥ 1 of the run.
  Sums learn(std::span<const int64_t> lines, int64_t number, float rate);

 private:
  float* find_scores(std::span<const int64_t> lines);

  const PairText& text_;
  int threads_;
  int64_t labels_;
  Anchor anchor_;
  AlignedFloats centre_;
  BagBatch batch_;
  DenseLayer layer_;
  AlignedFloats inputs_;     // centred vectors of texts
  std::vector<Mark> marks_;  // texts × labels
};

}  // namespace acevec
