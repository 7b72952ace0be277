// Hard negatives for metric learning: a generator that, given an anchor's vector, chooses among the
// training points of the batch.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "ace/generator.h"
#include "ace/policy.h"
#include "tasks/metric/training_settings.h"

namespace acevec {

// Of a generator over `points` training points, whose conditions are vectors of that size.
GeneratorSettings metric_generator(const MetricSettings& settings, int64_t points, int64_t size);

// A team of settings.threads shares the work.
class MetricAdversary {
 public:
  // For batches of at most settings.batch rows. Both must outlive it.
  MetricAdversary(GeneratorParameters& generator, const MetricSettings& settings);

  static int64_t bytes(const GeneratorSettings& settings, int64_t most_rows, int threads);

  // As choose_negatives() for settings.negatives: each negative is drawn at random with probability
  // λ, else from g. Then the generator takes a step up what it is paid: the loss of
  // each candidate as the anchor's one negative, −penalty where it is of the anchor's class.
  // `points`: the training point of each row; the batch's vectors are as wide as the generator's
  // features.
  void choose(const BatchDistances& batch, const int32_t* points, Random& random, int32_t* chosen);

  // The entropy is that of g over points of other classes, from which negatives are drawn.
  PolicyReport take_report() { return std::exchange(report_, {}); }

 private:
  PolicyReport play(const BatchDistances& batch, Anchors anchors, Random& random, int32_t* chosen);

  const MetricSettings& settings_;
  Generator generator_;
  std::vector<float> logits_, gradient_;  // rows × rows
  PolicyReport report_;
};

}  // namespace acevec
