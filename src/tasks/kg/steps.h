// A training step of a knowledge graph's embeddings: true triples get nearer than false ones.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "optim/step_rows.h"
#include "tasks/kg/model.h"
#include "tasks/kg/settings.h"
#include "train/task.h"

namespace acevec {

// The loss is a sum over pairs of a true triple and one of its negatives. Each triple has a fixed
// number of slots for negatives: first those for noise, then the adversary's.
class KgSteps {
 public:
  // The moments belong to the model's matrices: see Optimizer. All must outlive the object.
  KgSteps(KgModel& model, Matrix& entity_moments, Matrix& relation_moments,
          const KgSettings& settings);

  // Fills the slots of triple `positive`; called concurrently, each time with its own `random`.
  using Fill = std::function<void(int64_t positive, Random& random, std::span<Negative> places)>;

  // Takes step `number` ≥ 1 down the sum of the weighted losses of the negatives that `fill` gives
  // to these triples, at most settings.batch of them. The means are those of pair_loss() for noise
  // and for the adversary's negatives; the loss is the first that has any.
  Sums step(int64_t number, float rate, std::span<const Triple> positives, Random& random,
            const Fill& fill);

 private:
  int64_t noises() const { return settings_.noises(); }
  int64_t places() const { return noises() + (settings_.adversary ? 1 : 0); }
  std::span<Negative> negatives(int64_t positive) {
    return {negatives_.data() + positive * places(), static_cast<size_t>(places())};
  }
  Sums compute_losses(int64_t begin, int64_t end);
  void prefetch(int64_t positive);
  float measure(int64_t pair, const Triple& triple) {
    triples_[static_cast<size_t>(pair)] = triple;
    return score_.distance_and_slopes(rows(triple), slopes(pair));
  }
  void set_scale(int64_t pair, float scale);
  TripleRows rows(const Triple& triple) const {
    return {model_.entities.row(triple.head), model_.relations.row(triple.relation),
            model_.entities.row(triple.tail)};
  }
  float* slopes(int64_t pair) { return slopes_.data() + pair * score_.slope_width(); }
  void limit_norm(const float* row, float* change) const;

  const KgModel& model_;
  const PairScore& score_;
  const KgSettings& settings_;
  StepRows rows_;
  std::span<const Triple> positives_;
  std::vector<Negative> negatives_;  // the slots of each positive
  std::vector<Triple> triples_;      // of pairs: the positives, then the negatives in slot order
  AlignedFloats slopes_;
  std::vector<float> scales_;         // factors of the gradients of the distances
  std::vector<int32_t> occurrences_;  // pair × part: rows, or −1 where the gradient is 0
};

}  // namespace acevec
