// A step of a knowledge graph's embeddings: true triples nearer than false ones.
#pragma once

#include <cstdint>
#include <vector>

#include "optim/batch_rows.h"
#include "tasks/kg/adversary.h"
#include "tasks/kg/model.h"
#include "tasks/kg/pair_loss.h"

namespace acevec {

// Losses of negatives (tasks/kg/pair_loss.h), and how many they are.
struct KgLoss {
  double noise = 0, adversarial = 0;
  double noises = 0, adversarials = 0;
};

// What a step is to do.
struct KgStepSettings {
  KgLossKind loss{};
  float margin{};   // η
  float longest{};  // vectors of entities and relations stay as short; 0: no limit
  OptimizerSettings optimizer;
  int64_t most_triples{};    // true ones in a step
  int64_t most_negatives{};  // false ones
};

// One thread's steps.
class KgSteps {
 public:
  // The moments belong to the model's matrices: see Optimizer.
  KgSteps(KgModel& model, Matrix& entity_moments, Matrix& relation_moments,
          const KgStepSettings& settings);

  // What one object needs for matrices of so many rows and floats a row, in bytes.
  struct Shape {
    int64_t entities, entity_width, relations, relation_width;
  };
  static int64_t bytes(const Shape& shape, const KgStepSettings& settings);

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
  KgStepSettings settings_;
  BatchRows entities_, relations_;
  std::vector<Placed> true_places_, false_places_;
  std::vector<float> true_distances_, true_weights_;
};

}  // namespace acevec
