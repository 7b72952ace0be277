// The third term of the softmax loss: −log p of a triple's relation among all relations, given its
// head and tail (Chen et al. 2021, "Relation prediction as an auxiliary training objective").
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "math/aligned.h"
#include "math/table_products.h"
#include "tasks/kg/model.h"

namespace acevec {

class RelationSoftmax {
 public:
  // `relations`: with those of inverses, which are candidates too. Takes `most` triples at once.
  // The model must live as long.
  RelationSoftmax(const KgModel& model, float weight, int64_t most, ProductPrecision precision,
                  int threads);

  // What one object needs for steps of `triples`, in bytes.
  static int64_t bytes(const Score& score, int64_t relations, int64_t most, int64_t triples,
                       ProductPrecision precision, int threads);

  // Goes down weight · Σ −log p of some triples. Adds the gradients of the relations to `changes`,
  // a row for each; those of entities are then to be had by add_gradient().
  void learn(std::span<const Triple> triples, float* changes);

  // Adds the gradient of an entity of triple i: its head or its tail.
  void add_gradient(int64_t i, Part part, float* gradient) const;

 private:
  void learn_logits(std::span<const Triple> triples);
  void ask(const Triple& triple, float* point) const;

  const KgModel& model_;
  float weight_;
  int64_t most_, stride_;
  int threads_;
  AlignedFloats logits_;  // triple × relation: −s, then the loss's slope by it
  AlignedFloats points_;
  std::vector<Triple> triples_;              // of the last learn()
  AlignedFloats point_gradients_;            // of all of them
  std::unique_ptr<TableProducts> products_;  // of points with relations
};

}  // namespace acevec
