// A step of a knowledge graph's embeddings: true triples nearer than false ones.
#pragma once

#include <cstdint>
#include <vector>

#include "optim/batch_rows.h"
#include "tasks/kg/model.h"
#include "tasks/kg/settings.h"
#include "train/sums.h"

namespace acevec {

// Losses of negatives (tasks/kg/pair_loss.h).
struct KgLoss {
  Mean noise, adversarial;
};

// One thread's steps.
class KgSteps {
 public:
  // The moments belong to the model's matrices: see Optimizer. The settings must live as long.
  KgSteps(KgModel& model, Matrix& entity_moments, Matrix& relation_moments,
          const KgSettings& settings);

  // What one object needs, in bytes.
  static int64_t bytes(const Score& score, int64_t entities, int64_t relations,
                       const KgSettings& settings);

  // Step `number`, from 1 over all threads, down the sum of the negatives' weighted
  // losses. The first `noises` of the negatives are noise.
  KgLoss step(int64_t number, float rate, const std::vector<Triple>& positives,
              const std::vector<Negative>& negatives, size_t noises);

 private:
  struct Placed {
    int64_t head, relation, tail;
  };

  Placed place(const Triple& triple);
  float distance(const Placed& at) const;
  void add_gradient(const Placed& at, float scale);
  void change(BatchRows& rows, int64_t number, float rate) const;
  void shorten(const float* values, float* changes, int64_t count, int64_t width) const;

  const KgModel& model_;
  const KgSettings& settings_;
  BatchRows entities_, relations_;
  std::vector<Placed> true_places_, false_places_;
  std::vector<float> true_distances_, true_weights_;
};

}  // namespace acevec
