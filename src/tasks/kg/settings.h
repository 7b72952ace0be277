// The losses of knowledge graph embeddings, and the settings of their training.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "ace/policy.h"
#include "base/error.h"
#include "kernels/bfloat16.h"
#include "kernels/logistic_loss.h"
#include "optim/optimizer.h"

namespace acevec {

enum class KgLossKind {
  kMargin,   // max(0, η + s⁺ − s⁻) (Eq. 12 of ace-2018)
  kNs,       // −log σ(η − s⁺) − log σ(s⁻ − η) (negative sampling; Sun et al. 2019)
  kSoftmax,  // −log softmax of the true entity over all, by a ProductScore (softmax_steps.h)
};

// A pair's loss, and its derivatives with respect to the two distances.
struct PairLoss {
  float value, by_true, by_false;
};

// `kind` must not be kSoftmax, which is not a sum over pairs.
inline PairLoss pair_loss(KgLossKind kind, float margin, float true_distance,
                          float false_distance) {
  const auto sigmoid = [](float x) { return 1 / (1 + std::exp(-x)); };
  switch (kind) {
    case KgLossKind::kMargin: {
      const float value = std::max(0.0F, margin + true_distance - false_distance);
      const float slope = value > 0 ? 1.0F : 0.0F;
      return {value, slope, -slope};
    }
    case KgLossKind::kNs:
      return {softplus(true_distance - margin) + softplus(margin - false_distance),
              sigmoid(true_distance - margin), -sigmoid(margin - false_distance)};
    case KgLossKind::kSoftmax:
      break;
  }
  refuse_case("loss of pairs");
}

struct KgAdversarySettings {
  double noise_weight = 0;  // λ, weight of the noise; the adversary has 1 − λ
  Sampler sampler = Sampler::kCritic;
  float prior = 1;          // β: the generator starts as softmax(−β s)
  int64_t candidates = 64;  // candidate entities drawn for each step; 0: all
  double in_batch = 0.5;    // share of the candidates from the step's own triples
  PolicySettings policy{.penalty = 1};
  OptimizerSettings optimizer;

  bool learned() const { return sampler == Sampler::kLearned; }

  // At most a tenth of the entities: in a small graph the nearest ones would be the same true but
  // unknown triples again and again.
  int64_t most_candidates(int64_t entities) const {
    if (candidates == 0) return entities;
    return std::min(candidates, std::max<int64_t>(entities / 10, 1));
  }
};

struct KgSettings {
  KgLossKind loss = KgLossKind::kMargin;
  float margin = 9;    // η
  float max_norm = 3;  // limit for the vectors of entities and relations; 0: none
  // With kSoftmax: λ of the N3 penalty of products, λ (Σ|h|³ + Σ|r|³ + Σ|t|³) per triple; the
  // weight of the loss of predicting relations; the weight of a true triple's Euclidean distance.
  float n3 = 0, relation_weight = 0, distance_weight = 0;
  int64_t batch = 1000;   // true triples per step; with kSoftmax, questions
  int64_t negatives = 1;  // per positive; with kSoftmax, entities drawn for each step, 0: all
  // See docs/experiments/order.md for Adam's by_time. The learning rate is the run's.
  OptimizerSettings optimizer{.beta1 = 0, .by_time = true};
  int threads = 1;  // for steps and evaluations
  uint64_t seed = 1;
  std::optional<KgAdversarySettings> adversary;  // ACE, for losses that are sums over negatives
  bool in_batch = false;  // ACE with kSoftmax: first answers are candidates too (SoftmaxSteps)
  ProductPrecision precision = ProductPrecision::kFloat;  // with kSoftmax

  // Random negatives per positive, for losses of pairs; none if they have no weight.
  int64_t noises() const { return adversary && adversary->noise_weight == 0 ? 0 : negatives; }
};

}  // namespace acevec
