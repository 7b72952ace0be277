// The geometries, which differ in the penalty of a pair, and where training starts in each.
//
// Entailment cones in the Poincaré ball (Ganea, Bécigneul and Hofmann 2018): a concept's cone opens
// away from the origin, and what is below the concept lies in it.
//
// The cone at y has the half-aperture ψ(y) = arcsin(K (1 − |y|²) / |y|), K = 0.1. It is defined
// from the inner radius on, where it is a half-space, and closes towards the ball's border. Ξ(y, x)
// is the angle at y between the ray from the origin and the way to x. Penalty
//
//     E(x, y) = max(0, Ξ(y, x) − ψ(y)),
//
// in radians, 0 for every x in the cone at y. Cones are transitive: a cone holds those of all
// concepts in it, which have longer vectors.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/order_penalty.h"
#include "math/matrix.h"
#include "tasks/order/hierarchy.h"

namespace acevec {

// Vectors stay between these two lengths: the first is a little above 2K / (1 + √(1 + 4K²)).
inline constexpr double kInnerRadius = 0.09903;
inline constexpr double kOuterRadius = 1 - 1e-5;

// ψ of a vector of that length, which may be anything, in radians.
double half_aperture(double length);

// The part of all directions that the cone covers, seen from the origin: an angle in radians.
double visible_angle(double length);

// The slopes of Ξ − ψ, which are those of E where E is not 0, with |x|², |y|² and |y − x|². They
// show a false pair the way out of a cone that it lies in.
struct ConeSlopes {
  float below = 0, above = 0, apart = 0;
};

// E(x, y) of vectors of `width` floats, and its slopes unless they are null. Finite for all finite
// vectors, of two that are equal too.
float cone_penalty(const float* x, const float* y, int64_t width, ConeSlopes* slopes = nullptr);

// Adds scale times the gradients that follow from the slopes; either may be null.
void add_cone_gradient(const float* x, const float* y, int64_t width, const ConeSlopes& slopes,
                       float scale, float* x_gradient, float* y_gradient);

// penalty_table() of cones.
void cone_table(Replaced replaced, const VectorRows& conditions, const VectorRows& others,
                FloatRows table);

// What a step adds to a vector takes the place of `gradient`: against the Riemannian gradient,
// (1 − |x|²)² / 4 times `gradient`, along the geodesic, as far as `rate` times the length of that,
// and back between the two radii.
void to_cone_step(const float* x, int64_t width, float rate, float* gradient);

// Makes a vector that is longer or shorter than allowed as long as allowed. 0 stays.
void bound_cone(float* x, int64_t width);

enum class Geometry {
  kOrder,  // order embeddings: kernels/order_penalty.h
  kCone,   // entailment cones, as above
};

// Vectors, a row for each concept, which must outlive it, and how to read them.
struct Embedding {
  // How badly the pair breaks the order; 0: not at all.
  float penalty(OrderPair pair) const;

  // The sum of coordinates, or the vector's length: no smaller for what is below a concept than for
  // the concept.
  double depth(int32_t id) const;

  const Matrix& vectors;
  Geometry geometry = Geometry::kOrder;
};

// The pair of a condition and what replaces its other side.
inline OrderPair pair_of(Replaced replaced, int32_t condition, int32_t outcome) {
  return replaced == Replaced::kGeneral ? OrderPair{condition, outcome}
                                        : OrderPair{outcome, condition};
}

// The functions of kernels/order_penalty.h, or those of cones above, which alone have slopes.
struct PairFunctions {
  decltype(cone_penalty)* penalty;
  decltype(add_cone_gradient)* add_gradient;
  decltype(penalty_table) table;
};
PairFunctions pair_functions(Geometry geometry);

// A row for each concept, the positive half of a normal distribution; without `leaves` 0 for
// concepts that nothing is below in `train`.
Matrix initial_order_vectors(const std::vector<OrderPair>& train, int64_t concepts, int64_t size,
                             uint64_t seed, bool leaves = false);

// The same, added to the largest coordinates among what is above a concept: all pairs of `train`,
// and what follows from them, start in perfect order. They must not run in a circle. Where there
// are few, no two concepts start equal.
Matrix nested_order_vectors(const std::vector<OrderPair>& train, int64_t concepts, int64_t size,
                            uint64_t seed);

// A row for each concept, to be read as cones: as far from the origin as its level demands, which
// is 1 below that of the lowest concept above it, and in a random direction within the cone of the
// latter. What nothing is above has any direction. The pairs must not run in a circle.
Matrix nested_cones(const std::vector<OrderPair>& train, int64_t concepts, int64_t size,
                    uint64_t seed);

}  // namespace acevec
