// Properties that a file of vectors does not contain: whether it has order embeddings or cones, and
// the threshold of their weighted penalty.
#pragma once

#include <string>

#include "order/geometry.h"

namespace acevec {

struct Reading {
  Geometry geometry;
  float unit;  // the weighted penalty that answers go up to; 0 where nobody knows
};

// What the record path.json says, which acevec order has written beside the vectors of `path`.
// Without one, or with one of something else: cones if a coordinate is negative, and no unit.
Reading read_beside(const std::string& path, const Matrix& vectors);

}  // namespace acevec
