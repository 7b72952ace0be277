// The geometries, which differ in the penalty of a pair.
#pragma once

#include <cstdint>

#include "kernels/order_penalty.h"
#include "math/matrix.h"
#include "tasks/order/cones.h"
#include "tasks/order/hierarchy.h"

namespace acevec {

enum class Geometry {
  kOrder,  // order embeddings: kernels/order_penalty.h
  kCone,   // entailment cones: cones.h
};

// Vectors, a row for each concept, that are to be read so. Keeps a reference to them.
class Embedding {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): vectors are order embeddings unless told otherwise
  Embedding(const Matrix& vectors, Geometry geometry = Geometry::kOrder)
      : vectors_(&vectors), geometry_(geometry) {}
  explicit Embedding(Matrix&&, Geometry = Geometry::kOrder) = delete;  // would be gone

  // How badly the pair breaks the order; 0: not at all.
  float penalty(OrderPair pair) const;

  // A number that is no smaller for what is below a concept than for the concept: the sum of
  // coordinates, or a vector's length.
  double depth(int32_t id) const;

  const Matrix& vectors() const { return *vectors_; }
  Geometry geometry() const { return geometry_; }

 private:
  const Matrix* vectors_;
  Geometry geometry_;
};

// The functions of kernels/order_penalty.h, or those of cones.h, which alone have slopes.
struct PairFunctions {
  decltype(cone_penalty)* penalty;
  decltype(add_cone_gradient)* add_gradient;
  decltype(penalty_table) table;
};
PairFunctions pair_functions(Geometry geometry);

}  // namespace acevec
