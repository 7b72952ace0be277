#include "vectors/unit_vectors.h"

#include <cmath>
#include <utility>

namespace acevec {

void scale_to_unit(float* row, int64_t columns) {
  double squares = 0;
  for (int64_t k = 0; k < columns; ++k) {
    squares += static_cast<double>(row[k]) * static_cast<double>(row[k]);
  }
  const double scale = squares > 0 ? 1 / std::sqrt(squares) : 0;
  for (int64_t k = 0; k < columns; ++k) row[k] = static_cast<float>(row[k] * scale);
}

UnitVectors::UnitVectors(WordVectors vectors) : data_(std::move(vectors)) {
  ids_.reserve(data_.words.size());
  for (int64_t i = 0; i < data_.vectors.rows(); ++i) {
    ids_.emplace(data_.words[static_cast<size_t>(i)], i);
    scale_to_unit(data_.vectors.row(i), data_.vectors.columns());
  }
}

int64_t UnitVectors::find(std::string_view word) const {
  const auto known = ids_.find(word);
  return known == ids_.end() ? -1 : known->second;
}

double UnitVectors::cosine(int64_t a, int64_t b) const {
  double sum = 0;
  for (int64_t k = 0; k < data_.vectors.columns(); ++k) {
    sum +=
        static_cast<double>(data_.vectors.row(a)[k]) * static_cast<double>(data_.vectors.row(b)[k]);
  }
  return sum;
}

}  // namespace acevec
