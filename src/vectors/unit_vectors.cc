#include "vectors/unit_vectors.h"

#include <cmath>
#include <utility>

namespace acevec {
namespace {

WordVectors scaled(WordVectors vectors) {
  scale_to_unit(vectors.vectors);
  return vectors;
}

}  // namespace

double dot(const float* a, const float* b, int64_t columns) {
  double sum = 0;
  for (int64_t k = 0; k < columns; ++k)
    sum += static_cast<double>(a[k]) * static_cast<double>(b[k]);
  return sum;
}

void scale_to_unit(float* row, int64_t columns) {
  const double squares = dot(row, row, columns);
  const double scale = squares > 0 ? 1 / std::sqrt(squares) : 0;
  for (int64_t k = 0; k < columns; ++k) row[k] = static_cast<float>(row[k] * scale);
}

void scale_to_unit(Matrix& rows) {
  for (int64_t i = 0; i < rows.rows(); ++i) scale_to_unit(rows.row(i), rows.columns());
}

UnitVectors::UnitVectors(WordVectors vectors) : WordTable(scaled(std::move(vectors))) {}

bool UnitVectors::look_up(std::string_view word, float* unit) const {
  if (!WordTable::look_up(word, unit)) return false;
  if (find(word) < 0) scale_to_unit(unit, rows().columns());  // rows are scaled already
  return true;
}

}  // namespace acevec
