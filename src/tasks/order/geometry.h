// The geometries, each with its penalty of a pair and its initial vectors.
//
// Entailment cones in the Poincaré ball (Ganea, Bécigneul and Hofmann 2018): a concept's cone opens
// away from the origin, and contains everything below the concept.
//
// The cone at y has the half-aperture ψ(y) = arcsin(K (1 − |y|²) / |y|), K = 0.1. It is defined
// from the inner radius on, where it is a half-space, and narrows towards the boundary of the ball.
// Ξ(y, x) is the angle at y between the ray from the origin and the geodesic to x. The penalty is
//
//     E(x, y) = max(0, Ξ(y, x) − ψ(y)),
//
// in radians, 0 for every x in the cone at y. Cones are transitive: a cone contains those of all
// concepts in it, whose vectors are longer.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/order_penalty.h"
#include "math/matrix.h"
#include "tasks/order/hierarchy.h"

namespace acevec {

// Vectors' lengths stay within these bounds; the first is slightly above 2K / (1 + √(1 + 4K²)).
inline constexpr double kInnerRadius = 0.09903;
inline constexpr double kOuterRadius = 1 - 1e-5;

double half_aperture(double length);  // ψ of a vector of any length, in radians
double visible_angle(double length);  // the cone's angle as seen from the origin, in radians

// The derivatives of Ξ − ψ, and so of E where E is not 0, with respect to |x|², |y|² and |y − x|².
// Unlike those of E they are not 0 within a cone, so a false pair can leave it.
struct ConeSlopes {
  float below = 0, above = 0, apart = 0;
};

// E(x, y) of `width` floats, and its derivatives unless `slopes` is null; finite, also if x = y.
float cone_penalty(const float* x, const float* y, int64_t width, ConeSlopes* slopes = nullptr);

// Adds scale times the gradients that follow from `slopes`; either gradient may be null.
void add_cone_gradient(const float* x, const float* y, int64_t width, const ConeSlopes& slopes,
                       float scale, float* x_gradient, float* y_gradient);

// Replaces `gradient` by the change of x: along the geodesic against the Riemannian gradient,
// (1 − |x|²)² / 4 times `gradient`, by `rate` times its length, then back into the bounds.
void to_cone_step(const float* x, int64_t width, float rate, float* gradient);

// Scales a vector outside the bounds of lengths to the nearest bound. A zero vector is unchanged.
void bound_cone(float* x, int64_t width);

enum class Geometry {
  kOrder,  // order embeddings: kernels/order_penalty.h
  kCone,   // entailment cones, as above
};

// Vectors, a row per concept, and their geometry. The vectors must outlive it.
struct Embedding {
  float penalty(OrderPair pair) const;  // 0 if the pair is in perfect order

  // The sum of coordinates, or a cone's length: a concept's is at most that of anything below it.
  double depth(int32_t id) const;

  const Matrix& vectors;
  Geometry geometry = Geometry::kOrder;
};

// The pair of a condition and the outcome that replaces its other side.
inline OrderPair pair_of(Replaced replaced, int32_t condition, int32_t outcome) {
  return replaced == Replaced::kGeneral ? OrderPair{condition, outcome}
                                        : OrderPair{outcome, condition};
}

// The functions of kernels/order_penalty.h, or those of cones above. Only cones have slopes.
struct PairFunctions {
  decltype(cone_penalty)* penalty;
  decltype(add_cone_gradient)* add_gradient;
  decltype(penalty_table) table;
};
PairFunctions pair_functions(Geometry geometry);

// A row per concept, from the positive half of a normal distribution; without `leaves`, 0 for
// concepts that have nothing below them in `train`.
Matrix initial_order_vectors(const std::vector<OrderPair>& train, int64_t concepts, int64_t size,
                             uint64_t seed, bool leaves = false);

// Vectors as above, each added to the coordinatewise maximum of those above its concept: the
// closure of `train` starts in perfect order. The pairs must not form a cycle. If they are few, no
// two start equal.
Matrix nested_order_vectors(const std::vector<OrderPair>& train, int64_t concepts, int64_t size,
                            uint64_t seed);

// A row per concept, for cones: at the distance from the origin of its level, which is one below
// the lowest concept above it, and in a random direction within the cone of the latter. Concepts
// with nothing above them have random directions. The pairs must not form a cycle.
Matrix nested_cones(const std::vector<OrderPair>& train, int64_t concepts, int64_t size,
                    uint64_t seed);

}  // namespace acevec
