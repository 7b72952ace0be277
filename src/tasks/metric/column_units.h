// The units of a table's columns: metres and millimetres give numbers of different size.
#pragma once

#include <vector>

#include "math/matrix.h"

namespace acevec {

// A column's unit is its standard deviation. Where more than half of the points share one value, as
// in columns of counts or of 0 and 1, it is sqrt(variance / share) instead, with the share of the
// other values: it says how large these are, and not how rare.
struct ColumnUnit {
  double size;   // 0: all points have the same value
  double share;  // variance / size²: 1, or the share of the other values
};

// `points` must not be empty. `means`: one for each column.
std::vector<ColumnUnit> column_units(const Matrix& points, const std::vector<float>& means);

// Whether columns need scales of their own: at least a quarter of those that vary have less than a
// tenth of the largest unit. Columns whose units fall from left to right are principal components
// or the like, and have one unit.
bool differ(const std::vector<ColumnUnit>& units);

}  // namespace acevec
