#include "tasks/order/reading.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

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

// What a record holds, or an empty object.
nlohmann::json read_record(const std::string& path) {
  nlohmann::json record = nlohmann::json::object();
  if (path.empty()) return record;
  std::ifstream file(path);
  nlohmann::json read = nlohmann::json::parse(file, nullptr, false);
  if (read.is_object()) record = std::move(read);
  return record;
}

}  // namespace

Reading read_beside(const std::string& record_file, const Matrix& vectors) {
  const nlohmann::json record = read_record(record_file);
  Reading reading{has_negative(vectors) ? Geometry::kCone : Geometry::kOrder, 0};
  const auto settings = record.find("settings");
  if (settings != record.end() && settings->is_object()) {
    const auto geometry = settings->find("geometry");
    if (geometry != settings->end() && *geometry == "cone") reading.geometry = Geometry::kCone;
    if (geometry != settings->end() && *geometry == "order") reading.geometry = Geometry::kOrder;
  }
  const auto threshold = record.find("threshold");
  if (threshold == record.end() || !threshold->is_number()) return reading;
  const auto unit = threshold->get<float>();
  if (std::isfinite(unit) && unit > 0) reading.unit = unit;
  return reading;
}

}  // namespace acevec
