// The losses, and how a knowledge graph's embeddings are trained.
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
  kSoftmax,  // −log of the true one's share among all, of a ProductScore (softmax_steps.h)
};

// A pair's loss, and its slopes by the two distances.
struct PairLoss {
  float value, by_true, by_false;
};

// `kind` is not kSoftmax, which is no sum over pairs.
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
  double noise_weight = 0;  // λ: weight of the noise; the adversary has 1 − λ
  Sampler sampler = Sampler::kCritic;
  float prior = 1;  // β: the generator begins as softmax(−β s)
  // Entities to choose from, drawn for each step; 0: all.
  int64_t candidates = 64;
  double in_batch = 0.5;  // share of these from the step's own triples
  PolicySettings policy{.penalty = 1};
  OptimizerSettings optimizer;

  bool learned() const { return sampler == Sampler::kLearned; }

  // At most a tenth of the entities: the nearest of a small graph would be what is true but
  // unknown, again and again.
  int64_t most_candidates(int64_t entities) const {
    if (candidates == 0) return entities;
    return std::min(candidates, std::max<int64_t>(entities / 10, 1));
  }
};

struct KgSettings {
  KgLossKind loss = KgLossKind::kMargin;
  float margin = 9;    // η
  float max_norm = 3;  // of the vectors of entities and relations; 0: no limit
  // With kSoftmax: λ of the N3 penalty of products, λ (Σ|h|³ + Σ|r|³ + Σ|t|³) for each triple, the
  // weight of their loss of predicting relations, and that of a true triple's Euclidean distance.
  float n3 = 0, relation_weight = 0, distance_weight = 0;
  int64_t batch = 1000;  // true triples in a step; with kSoftmax, questions
  // False triples for each true one; with kSoftmax, entities drawn for each step, 0: all.
  int64_t negatives = 1;
  // Adam's clock: see docs/experiments/order.md. The rate is the run's.
  OptimizerSettings optimizer{.beta1 = 0, .by_time = true};
  int threads = 1;  // for steps and evaluations
  uint64_t seed = 1;
  std::optional<KgAdversarySettings> adversary;  // ACE, where the loss is a sum over negatives
  bool in_batch = false;  // ACE with kSoftmax: first answers are candidates too (SoftmaxSteps)
  ProductPrecision precision = ProductPrecision::kFloat;  // with kSoftmax

  // Random negatives of each true triple, with a loss of pairs; none where they have no weight.
  int64_t noises() const { return adversary && adversary->noise_weight == 0 ? 0 : negatives; }
};

}  // namespace acevec
