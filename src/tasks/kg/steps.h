// A step of a knowledge graph's embeddings: true triples nearer than false ones.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "optim/step_rows.h"
#include "tasks/kg/model.h"
#include "tasks/kg/settings.h"
#include "train/task.h"

namespace acevec {

// Losses of negatives (tasks/kg/pair_loss.h).
struct KgLoss {
  Mean noise, adversarial;
};

// The loss is a sum over pairs of a true triple and one of its negatives. Each triple has a fixed
// number of places for negatives: first those of the noise, then the adversary's.
class KgSteps {
 public:
  // True triples that a thread looks at together.
  static constexpr int64_t kTogether = 32;

  // The moments belong to the model's matrices: see Optimizer. The settings must live as long.
  KgSteps(KgModel& model, Matrix& entity_moments, Matrix& relation_moments,
          const KgSettings& settings);

  // What one object needs, in bytes.
  static int64_t bytes(const Score& score, int64_t entities, int64_t relations,
                       const KgSettings& settings);

  // Begins a step for these triples, of which there are at most settings.batch. They must stay
  // until it ends.
  void begin(std::span<const Triple> positives);

  // The places of a triple's negatives, to be filled before look().
  std::span<Negative> negatives(int64_t positive) {
    return {negatives_.data() + positive * places(), static_cast<size_t>(places())};
  }

  // The losses of triples begin .. end − 1 with their negatives; `begin` is a multiple of
  // kTogether. Several threads may look at different triples.
  void look(int64_t begin, int64_t end);

  // Takes step `number`, from 1, down the sum of the negatives' weighted losses.
  KgLoss finish(int64_t number, float rate);

 private:
  int64_t noises() const { return settings_.noises(); }
  int64_t places() const { return noises() + (settings_.adversary ? 1 : 0); }
  void prefetch(int64_t positive);
  float measure(int64_t pair, const Triple& triple);
  void set_scale(int64_t pair, float scale);
  TripleRows rows(const Triple& triple) const;
  float* slopes(int64_t pair) { return slopes_.data() + pair * model_.score->slope_width(); }
  void shorten(const float* row, float* change) const;

  const KgModel& model_;
  const KgSettings& settings_;
  StepRows rows_;
  std::span<const Triple> positives_;
  std::vector<Negative> negatives_;  // of each positive its places
  // Pairs are the positives, then the negatives in their places.
  std::vector<Triple> triples_;
  AlignedFloats slopes_;
  std::vector<float> scales_;         // of the gradients of their distances
  std::vector<int32_t> occurrences_;  // pair × part: rows, or −1 where the loss has no slope
  std::vector<KgLoss> losses_;        // of kTogether triples each
};

}  // namespace acevec
