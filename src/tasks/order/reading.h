// Properties that a file of vectors does not contain: whether it has order embeddings or cones, and
// the threshold of their weighted penalty.
#pragma once

#include <string>

#include "tasks/order/geometry.h"

namespace acevec {

struct Reading {
  Geometry geometry;
  float unit;  // the weighted penalty that answers go up to; 0 where nobody knows
};

// What `record_file` says, the file that acevec order has written beside the vectors. Without one
// (its name may be empty), or with one of something else: cones if a coordinate is negative, and no
// unit.
Reading read_beside(const std::string& record_file, const Matrix& vectors);

}  // namespace acevec
