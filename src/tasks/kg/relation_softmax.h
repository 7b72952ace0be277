// The third term of the softmax loss: −log p of a triple's relation among all relations, given its
// head and tail (Chen et al. 2021, "Relation prediction as an auxiliary training objective").
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "math/aligned.h"
#include "math/table_products.h"
#include "optim/batch_rows.h"
#include "tasks/kg/product_score.h"

namespace acevec {

// One thread's.
class RelationSoftmax {
 public:
  // Where a triple's rows are in what a step has gathered.
  struct Triple {
    int64_t head, relation, tail;  // floats before them
  };

  // `relations`: rows, with those of inverses, which are candidates too. Takes `most` triples at
  // once. The score must live as long.
  RelationSoftmax(const ProductScore& score, int64_t relations, float weight, int64_t most,
                  ProductPrecision precision);

  // What one object needs, in bytes.
  static int64_t bytes(const Score& score, int64_t relations, int64_t most,
                       ProductPrecision precision);

  // Adds the gradients of weight · Σ −log p to the changes of entities and relations. All relations
  // have a place, in their order.
  void add_gradients(const std::vector<Triple>& triples, BatchRows& entities, BatchRows& relations);

 private:
  void learn_logits(const Triple* triples, int64_t count);

  const ProductScore& score_;
  int64_t relations_;
  float weight_;
  int64_t most_, stride_;
  AlignedFloats logits_;  // triple × relation: −s, then the loss's slope by it
  AlignedFloats points_, point_gradients_;
  std::unique_ptr<TableProducts> products_;  // of points with relations
};

}  // namespace acevec
