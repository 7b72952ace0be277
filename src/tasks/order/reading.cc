#include "tasks/order/reading.h"

#include <algorithm>
#include <cmath>

#include "base/json.h"

namespace acevec {
namespace {

bool has_negative(const Matrix& vectors) {
  for (int64_t i = 0; i < vectors.rows(); ++i) {
    const float* const row = vectors.row(i);
    if (std::any_of(row, row + vectors.columns(), [](float number) { return number < 0; })) {
      return true;
    }
  }
  return false;
}

}  // namespace

Reading read_beside(const std::string& record_file, const Matrix& vectors) {
  const Json record = Json::read(record_file);
  Reading reading{has_negative(vectors) ? Geometry::kCone : Geometry::kOrder, 0};
  const std::string geometry = record.text_at("/settings/geometry").value_or("");
  if (geometry == "cone") reading.geometry = Geometry::kCone;
  if (geometry == "order") reading.geometry = Geometry::kOrder;
  const auto unit = static_cast<float>(record.number_at("/threshold").value_or(0));
  if (std::isfinite(unit) && unit > 0) reading.unit = unit;
  return reading;
}

}  // namespace acevec
