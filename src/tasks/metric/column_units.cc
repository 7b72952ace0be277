#include "tasks/metric/column_units.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "math/correlation.h"

namespace acevec {
namespace {

// The value that more than half of the points have in each column, or any value if none has.
std::vector<float> majorities(const Matrix& points) {
  const auto columns = static_cast<size_t>(points.columns());
  std::vector<float> values(columns);
  std::vector<int64_t> votes(columns);
  for (int64_t i = 0; i < points.rows(); ++i) {
    const float* const point = points.row(i);
    for (size_t k = 0; k < columns; ++k) {
      if (votes[k] == 0) values[k] = point[k];
      votes[k] += point[k] == values[k] ? 1 : -1;
    }
  }
  return values;
}

// Whether the sizes, in the order of columns, fall nearly always.
bool fall(const std::vector<double>& sizes) {
  constexpr size_t kFewest = 8;  // fewer may fall by chance
  constexpr double kMost = -0.9;
  if (sizes.size() < kFewest) return false;
  std::vector<double> places(sizes.size());
  for (size_t k = 0; k < places.size(); ++k) places[k] = static_cast<double>(k);
  return spearman(places, sizes) < kMost;
}

}  // namespace

std::vector<ColumnUnit> column_units(const Matrix& points, const std::vector<float>& means) {
  const auto columns = static_cast<size_t>(points.columns());
  const std::vector<float> usual = majorities(points);
  std::vector<double> squares(columns);
  std::vector<int64_t> others(columns);
  for (int64_t i = 0; i < points.rows(); ++i) {
    const float* const point = points.row(i);
    for (size_t k = 0; k < columns; ++k) {
      const double difference = double{point[k]} - double{means[k]};
      squares[k] += difference * difference;
      others[k] += point[k] != usual[k];
    }
  }
  const auto count = static_cast<double>(points.rows());
  std::vector<ColumnUnit> units;
  for (size_t k = 0; k < columns; ++k) {
    const double share = static_cast<double>(others[k]) / count;
    const double counted = share < 0.5 ? share : 1;
    units.push_back(share > 0 ? ColumnUnit{std::sqrt(squares[k] / count / counted), counted}
                              : ColumnUnit{0, 0});
  }
  return units;
}

bool differ(const std::vector<ColumnUnit>& units) {
  constexpr double kFarApart = 10;
  std::vector<double> sizes;
  for (const ColumnUnit& unit : units) {
    if (unit.size > 0) sizes.push_back(unit.size);
  }
  if (sizes.empty() || fall(sizes)) return false;
  std::sort(sizes.begin(), sizes.end());
  return sizes[(sizes.size() - 1) / 4] < sizes.back() / kFarApart;
}

}  // namespace acevec
