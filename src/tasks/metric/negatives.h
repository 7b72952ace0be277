// The ways to choose an anchor's negatives among the points of other classes in a batch, by rules,
// and by a generator that, given an anchor's vector, learns which are hard; and the loss of the
// triplets of an anchor, its positive and its negatives.
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
  kUniform,    // at random
  kHardest,    // nearest to the anchor (VSE++, Faghri et al. 2017)
  kSemiHard,   // nearest of those farther than the positive, then farthest of the others (FaceNet,
               // Schroff et al. 2015)
  kUncertain,  // as far as the positive: P(positive | anchor) is nearest 1/2 (Bose 2018,
               // section 4.1)
  kCritic,     // drawn from the softmax of −β · distance
  kLearned,    // drawn from uniform noise and a generator: MetricAdversary
};

// A batch: rows that are anchors, each with a positive, and candidates for each other.
struct BatchDistances {
  const float* squares;      // rows × rows: |e_i − e_j|²
  const int32_t* classes;    // of each row
  const int32_t* positives;  // of each row another of its class
  int64_t rows;
  const float* vectors = nullptr;  // e_i, rows × width; not of use to all
  int64_t width = 0;
};

// Anchors first .. last − 1 of a batch, a block of a thread's work.
struct Anchors {
  int64_t first;
  int64_t last;

  static constexpr int64_t kPerBlock = 8;  // in a step
};

// How encoders of points are trained.
struct MetricSettings {
  NegativeKind kind = NegativeKind::kLearned;
  int64_t negatives = 10;  // of an anchor
  float beta = 5;          // weight of −distance in the logits of kCritic and kLearned
  double lambda = 0.5;     // share of the negatives of kLearned that is drawn at random
  float margin = 0.5F;     // see triplet_loss()
  int64_t batch = 256;     // points in a step, each an anchor
  int64_t shift = 0;       // images are moved by up to so many pixels
  uint64_t seed = 1;
  int threads = 1;  // for steps and evaluations

  bool has_adversary() const { return kind == NegativeKind::kLearned; }
};

// chosen[i · negatives + k] = a row of another class than anchor i; −1 where there is none.
// kHardest, kSemiHard and kUncertain give the best by squared distances, the best first, and −1
// when there are fewer, of equals the first; the others draw with replacement.
void choose_negatives(NegativeKind kind, const MetricSettings& settings,
                      const BatchDistances& batch, Anchors anchors, Random& random,
                      int32_t* chosen);

// same[j] = 1 where row j is of the class of `anchor`, else 0.
void mark_same_class(const BatchDistances& batch, int64_t anchor, uint8_t* same);

// A team of settings.threads shares the work.
class MetricAdversary {
 public:
  // A generator over `points` training points, whose conditions are vectors of that size, for
  // batches of at most settings.batch rows. The settings must outlive it.
  MetricAdversary(const MetricSettings& settings, int64_t points, int64_t size);

  // As choose_negatives() for settings.negatives: each negative is drawn at random with probability
  // λ, else from g. Then the generator takes a step up what it is paid: the loss of
  // each candidate as the anchor's one negative, −penalty where it is of the anchor's class.
  // `points`: the training point of each row; the batch's vectors are as wide as the generator's
  // features.
  void choose(const BatchDistances& batch, const int32_t* points, Random& random, int32_t* chosen);

  // The entropy is that of g over points of other classes, from which negatives are drawn.
  PolicyReport take_report() { return std::exchange(report_, {}); }

  // Adds the generator's matrices.
  void list(std::vector<Parameter>& parameters) { parameters_.list("generator", parameters); }

 private:
  PolicyReport play(const BatchDistances& batch, Anchors anchors, Random& random, int32_t* chosen);

  const MetricSettings& settings_;
  GeneratorParameters parameters_;
  Generator generator_;
  std::vector<float> logits_, gradient_;  // rows × rows
  PolicyReport report_;
};

// max(0, margin + d⁺ − d⁻), d squared distances (Schroff et al. 2015).
inline float triplet_loss(float margin, float positive, float negative) {
  return std::max(0.0F, margin + positive - negative);
}

// gradient = the gradient of the mean loss over the anchors with respect to the vectors, for
// `count` negatives of each anchor as choose_negatives() gives them. An anchor's loss is the mean
// of triplet_loss() over its negatives. `slopes`: room for rows × rows. A team of threads shares
// the work, and the result does not depend on their number, here and below.
//
// Returns the loss before the step, and means over the anchors that have a negative: the loss, d⁺,
// the mean d⁻ of an anchor's negatives, and the share of them with a loss above 0.
Sums triplet_gradient(float margin, const BatchDistances& batch, const int32_t* negatives,
                      int64_t count, float* slopes, float* gradient, int threads = 1);

// squares[i · rows + j] = |e_i − e_j|².
void squared_distances(const float* vectors, int64_t rows, int64_t width, float* squares,
                       int threads = 1);

}  // namespace acevec
