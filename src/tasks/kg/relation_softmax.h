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
#include "tasks/kg/settings.h"

namespace acevec {

class RelationSoftmax {
 public:
  // Inverses are candidates too. Takes settings.batch triples at once. Both must outlive it.
  RelationSoftmax(const KgModel& model, const KgSettings& settings);

  // Finds the gradients of relation_weight · Σ −log p over some triples. Adds those of relations to
  // `changes`, a row for each; add_gradient() then adds those of entities.
  void learn(std::span<const Triple> triples, float* changes);

  // Adds the gradient of an entity of triple i: its head or its tail.
  void add_gradient(int64_t i, Part part, float* gradient) const;

 private:
  void learn_logits(std::span<const Triple> triples);

  const KgModel& model_;
  const ProductScore& score_;
  const KgSettings& settings_;
  int64_t stride_;
  AlignedFloats logits_;  // triple × relation: −s, then the loss's slope by it
  AlignedFloats points_;
  std::vector<Triple> triples_;              // of the last learn()
  AlignedFloats point_gradients_;            // of all of them
  std::unique_ptr<TableProducts> products_;  // of points with relations
};

}  // namespace acevec
