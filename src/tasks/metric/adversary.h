// Hard negatives for metric learning: a generator that, given an anchor's vector, chooses among the
// training points of the batch.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "ace/generator.h"
#include "ace/policy.h"
#include "tasks/metric/loss.h"
#include "tasks/metric/negatives.h"

namespace acevec {

struct MetricAdversarySettings {
  double lambda = 0.5;              // part of the negatives that is drawn at random
  float beta{};                     // weight of −distance in the logits, as MetricSettings has it
  std::vector<int64_t> hidden{32};  // units of the generator's layers
  PolicySettings policy{.penalty = 1};
  OptimizerSettings optimizer;
};

// Of a generator over `points` training points, whose conditions are vectors of that size.
GeneratorSettings metric_generator(const MetricAdversarySettings& settings, int64_t points,
                                   int64_t size, uint64_t seed);

// Sums over anchors.
struct MetricAdversaryReport {
  double entropy = 0;  // of g over the batch's points of other classes, nats
  double reward = 0;   // of g over all of the batch's points, with penalties
  double anchors = 0;
};

// One object per thread.
class MetricAdversary {
 public:
  MetricAdversary(GeneratorParameters& generator, const MetricAdversarySettings& settings,
                  int64_t most_rows);

  static int64_t bytes(const GeneratorSettings& settings, int64_t most_rows);

  // As NegativeChoice::choose(): each negative is drawn at random with probability λ, else from g.
  // Then the generator takes a step up what it is paid: the loss of each candidate as the anchor's
  // one negative, −penalty where it is of the anchor's class. `points`: the training point of each
  // row; the batch's vectors are as wide as the generator's features.
  void choose(const BatchDistances& batch, const int32_t* points, float margin, int64_t count,
              Random& random, int32_t* chosen);

  MetricAdversaryReport take_report() { return std::exchange(report_, {}); }

 private:
  MetricAdversarySettings settings_;
  Generator generator_;
  NegativeChoice noise_;
  std::vector<float> logits_, rewards_, g_, gradient_;  // rows × rows
  std::vector<uint8_t> same_;
  std::vector<float> entropies_;
  MetricAdversaryReport report_;
};

}  // namespace acevec
