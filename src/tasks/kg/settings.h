// How a knowledge graph's embeddings are trained.
#pragma once

#include <cstdint>
#include <optional>

#include "ace/policy.h"
#include "kernels/bfloat16.h"
#include "optim/optimizer.h"
#include "tasks/kg/pair_loss.h"

namespace acevec {

struct KgAdversarySettings {
  double noise_weight = 0;  // λ: what the noise counts where the adversary counts 1 − λ
  Sampler sampler = Sampler::kCritic;
  float prior = 1;          // β: the generator begins as softmax(−β s)
  int64_t candidates = 64;  // that it chooses from, drawn anew in every step, at most a tenth of
                            // the entities; 0: all
  double in_batch = 0.5;    // share of them that are entities of the step's own triples
  PolicySettings policy{.penalty = 1};
  OptimizerSettings optimizer;

  bool learned() const { return sampler == Sampler::kLearned; }
};

struct KgSettings {
  KgLossKind loss = KgLossKind::kMargin;
  float margin = 9;      // η
  float longest = 3;     // maximum norm of the vectors of entities and relations; 0: no limit
  float cubes = 0;       // λ of the N3 penalty: see SoftmaxSettings
  float relations = 0;   // weight of the loss of predicting relations: likewise
  int64_t batch = 1000;  // true triples in a step; with kSoftmax, questions
  int64_t negatives =
      1;  // of the noise, for each true triple; with kSoftmax, for each step, 0: all
  // Adam's clock: see docs/experiments/order.md. The rate is the run's.
  OptimizerSettings optimizer{.beta1 = 0, .by_time = true};
  int threads = 1;  // that share a step, and evaluate
  uint64_t seed = 1;
  std::optional<KgAdversarySettings> adversary;  // ACE, where the loss is a sum over negatives
  bool in_batch = false;  // ACE with kSoftmax: first answers are candidates too (SoftmaxSettings)
  ProductPrecision precision = ProductPrecision::kFloat;  // with kSoftmax

  // Of the noise for each true triple, where the loss is a sum over negatives: none without weight.
  int64_t noises() const { return adversary && adversary->noise_weight == 0 ? 0 : negatives; }
};

}  // namespace acevec
