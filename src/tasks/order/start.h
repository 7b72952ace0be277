// Where training starts, by geometry.
#pragma once

#include <cstdint>
#include <vector>

#include "math/matrix.h"
#include "tasks/order/hierarchy.h"

namespace acevec {

// A row for each concept, the positive half of a normal distribution; 0 for concepts that nothing
// is below in `train`.
Matrix initial_order_vectors(const std::vector<OrderPair>& train, int64_t concepts, int64_t size,
                             uint64_t seed);

// The same, added to the largest coordinates among what is above a concept: all pairs of `train`,
// and what follows from them, start in perfect order. They must not run in a circle.
Matrix nested_order_vectors(const std::vector<OrderPair>& train, int64_t concepts, int64_t size,
                            uint64_t seed);

// A row for each concept, to be read as cones: as far from the origin as its level demands, which
// is 1 below that of the lowest concept above it, and in a random direction within the cone of the
// latter. What nothing is above has any direction. The pairs must not run in a circle.
Matrix nested_cones(const std::vector<OrderPair>& train, int64_t concepts, int64_t size,
                    uint64_t seed);

}  // namespace acevec
