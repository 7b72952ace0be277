// One step of training on labelled texts: a softmax over all labels, of a layer on the vector of a
// text.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nn/layer.h"
#include "tasks/sentence/anchor.h"
#include "tasks/sentence/bag_batch.h"
#include "tasks/sentence/contrast.h"
#include "tasks/sentence/model.h"
#include "tasks/sentence/pair_step.h"
#include "tasks/sentence/pair_text.h"

namespace acevec {

// The loss of a text is −log of its label's probability, in the mean over them where it has
// several, as fastText's softmax loss is in expectation.
class LabelStep {
 public:
  // Trains `model`, a tied bag with the labels of `text`, which has its ids. `layer_moments`
  // belongs to model.classifier. `most`: texts of a batch, and their words. All must outlive the
  // object.
  LabelStep(const PairText& text, const PairSettings& settings, SentenceModel& model,
            NetworkMoments& moments, Matrix& layer_moments, const BatchLimits& most,
            const OptimizerSettings& rows = row_optimizer(),
            const OptimizerSettings& layer = gate_optimizer());

  // What one object needs, in bytes, for so many words of the model.
  static int64_t bytes(const PairText& text, const SentenceShape& shape, int64_t words,
                       const BatchLimits& most, int threads);

  // Step `number` of the run, from 1.
  ContrastSum learn(std::span<const int64_t> lines, int64_t number, float rate);

 private:
  void find_scores(std::span<const int64_t> lines);
  ContrastSum pick();

  const PairText& text_;
  int threads_;
  int64_t labels_;
  Anchor anchor_;
  AlignedFloats centre_;
  BagBatch batch_;
  DenseLayer layer_;
  AlignedFloats inputs_;           // vectors of texts around the centre
  AlignedFloats layer_gradients_;  // of the layer's outputs
  std::vector<float> scores_;      // texts × labels
  std::vector<Mark> marks_;
  std::vector<ContrastSum> sums_;
};

}  // namespace acevec
