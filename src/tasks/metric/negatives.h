// The choice of an anchor's negatives among a batch's points of other classes, by rules or by a
// generator that learns, given the anchor's vector, which are hard; and the loss of triplets of an
// anchor, its positive and its negatives.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "ace/generator.h"
#include "ace/policy.h"
#include "base/random.h"
#include "train/task.h"

namespace acevec {

enum class NegativeKind : uint8_t {
  kUniform,    // drawn at random
  kHardest,    // nearest to the anchor (VSE++, Faghri et al. 2017)
  kSemiHard,   // nearest beyond the positive, then farthest of the rest (Schroff et al. 2015)
  kUncertain,  // closest to the positive's distance: P(positive | anchor) nearest 1/2 (Bose 2018)
  kCritic,     // drawn from the softmax of −β · distance
  kLearned,    // drawn from uniform noise and a generator: MetricAdversary
};

// A batch, whose rows are anchors, each with a positive, and candidates for each other.
struct BatchDistances {
  const float* squares;      // rows × rows: |e_i − e_j|²
  const int32_t* classes;    // class of each row
  const int32_t* positives;  // another row of the same class, for each row
  int64_t rows;
  const float* vectors = nullptr;  // e_i, rows × width; only for MetricAdversary
  int64_t width = 0;
};

// Anchors first .. last − 1 of a batch, which a thread processes at once.
struct Anchors {
  int64_t first;
  int64_t last;

  static constexpr int64_t kPerBlock = 8;  // most anchors in a block
};

// Settings of training encoders of points.
struct MetricSettings {
  NegativeKind kind = NegativeKind::kLearned;
  int64_t negatives = 10;  // negatives per anchor
  float beta = 5;          // weight of −distance in the logits of kCritic and kLearned
  double lambda = 0.5;     // share of kLearned's negatives that are drawn at random
  float margin = 0.5F;     // see triplet_loss()
  int64_t batch = 256;     // points per step, each an anchor
  int64_t shift = 0;       // images are shifted by up to this many pixels
  uint64_t seed = 1;
  int threads = 1;  // for steps and evaluations

  bool has_adversary() const { return kind == NegativeKind::kLearned; }
};

// Sets chosen[i · negatives + k] to a row of another class than anchor i, or −1 if there is none.
// kHardest, kSemiHard and kUncertain select the best by squared distance, best first, ties by row,
// and −1 if there are fewer; the others draw with replacement.
void choose_negatives(NegativeKind kind, const MetricSettings& settings,
                      const BatchDistances& batch, Anchors anchors, Random& random,
                      int32_t* chosen);

// A learned generator of negatives. A team of settings.threads threads shares the work.
class MetricAdversary {
 public:
  // The generator is over `points` training points, and its conditions are vectors of `size`
  // numbers; batches have at most settings.batch rows. The settings must outlive it.
  MetricAdversary(const MetricSettings& settings, int64_t points, int64_t size);

  // Like choose_negatives(): each negative is drawn at random with probability λ, else from g. Then
  // the generator takes a step up its reward: the loss of each candidate as the anchor's only
  // negative, or −penalty if it is of the anchor's class. `points`: the training point of each row;
  // the batch's vectors are as wide as the generator's features.
  void choose(const BatchDistances& batch, const int32_t* points, Random& random, int32_t* chosen);

  // The sums since the last call. The entropy is that of g over points of other classes.
  PolicyReport take_report() { return std::exchange(report_, {}); }

  void list(std::vector<Parameter>& parameters) { parameters_.list("generator", parameters); }

 private:
  PolicyReport choose_block(const BatchDistances& batch, Anchors anchors, Random& random,
                            int32_t* chosen);

  const MetricSettings& settings_;
  GeneratorParameters parameters_;
  Generator generator_;
  std::vector<float> logits_, gradient_;  // rows × rows
  PolicyReport report_;
};

// max(0, margin + d⁺ − d⁻), where d are squared distances (Schroff et al. 2015).
inline float triplet_loss(float margin, float positive, float negative) {
  return std::max(0.0F, margin + positive - negative);
}

// Sets `gradient` to the gradient of the mean loss over the anchors with respect to the vectors,
// for `count` negatives per anchor from choose_negatives(). An anchor's loss is the mean of
// triplet_loss() over its negatives. `slopes`: a buffer of rows × rows. A team of threads shares
// the work; the result does not depend on their number, here and below.
//
// Returns the loss, and means over the anchors that have a negative: the loss, d⁺, the mean d⁻ of
// an anchor's negatives, and the share of them with a loss above 0.
Sums triplet_gradient(float margin, const BatchDistances& batch, const int32_t* negatives,
                      int64_t count, float* slopes, float* gradient, int threads = 1);

// Sets squares[i · rows + j] to |e_i − e_j|².
void squared_distances(const float* vectors, int64_t rows, int64_t width, float* squares,
                       int threads = 1);

}  // namespace acevec
