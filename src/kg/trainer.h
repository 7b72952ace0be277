// Learns a knowledge graph's entities and relations: true triples nearer than false ones.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "kg/adversary.h"
#include "kg/model.h"
#include "optim/batch_rows.h"

namespace acevec {

// What the trainer needs to know.
struct KgSettings {
  float margin = 1;       // η
  float longest = 1;      // vectors of entities and relations stay as short; 0: no limit
  int64_t batch = 1000;   // true triples in a step
  int64_t negatives = 1;  // of the noise, for each true triple
  CorruptionKind corruption = CorruptionKind::kBernoulli;
  bool mask_noise = true;  // negatives that are true are left out
  OptimizerSettings optimizer{OptimizerKind::kAdam, 0.01F};
  float final_rate = 0;  // what part of the rate is left at the end
  int64_t epochs = 100;
  int64_t report_every = 10;  // epochs
  int threads = 1;
  uint64_t seed = 1;
  std::optional<KgAdversarySettings> adversary;  // ACE
};

// Sums since the last report: losses of negatives, max(0, η + s⁺ − s⁻), and how many there were.
struct KgLoss {
  double noise = 0, adversarial = 0;
  double noises = 0, adversarials = 0;

  KgLoss& operator+=(const KgLoss& more);
};

struct KgState {
  int64_t epoch;    // epochs done
  int64_t triples;  // true triples learned from so far
  int64_t total;
  KgLoss loss;
  KgAdversaryReport adversary;
};

// One thread's steps.
class KgSteps {
 public:
  // The moments belong to the model's matrices: see Optimizer. At most `most` true triples and
  // `most_negatives` false ones in a step.
  KgSteps(KgModel& model, Matrix& entity_moments, Matrix& relation_moments,
          const KgSettings& settings, int64_t most, int64_t most_negatives);

  // Step `number`, from 1 over all threads, down the sum of the negatives' weighted losses
  // (Eq. 12). The first `noises` of the negatives are noise.
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

  const KgModel& model_;
  const KgSettings& settings_;
  BatchRows entities_, relations_;
  std::vector<Placed> true_places_, false_places_;
  std::vector<float> true_distances_, true_weights_;
};

// Trains the model. After every `report_every` epochs all threads meet and `report` is called,
// which may read the model; training ends early when it returns false.
void train_kg(std::span<const Triple> train, const KgSettings& settings, KgModel& model,
              const std::function<bool(const KgState&)>& report);

}  // namespace acevec
