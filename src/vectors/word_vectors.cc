#include "vectors/word_vectors.h"

#include <algorithm>
#include <cmath>

#include "text/case.h"

namespace acevec {

WordTable::WordTable(WordVectors vectors, bool unit) : data_(std::move(vectors)), unit_(unit) {
  if (unit) scale_to_unit(data_.vectors);
  ids_.reserve(data_.words.size());
  for (const std::string& word : data_.words) {
    ids_.emplace(word, static_cast<int64_t>(&word - data_.words.data()));
  }
}

int64_t WordTable::find(std::string_view word) const {
  const auto known = ids_.find(word);
  return known == ids_.end() ? -1 : known->second;
}

bool WordTable::look_up(std::string_view word, float* vector) const {
  const int64_t columns = data_.vectors.columns();
  if (const int64_t row = find(word); row >= 0) {
    std::copy_n(data_.vectors.row(row), columns, vector);
    return true;
  }
  if (word.find_first_of(" \t") != std::string_view::npos) return false;
  if (!data_.subwords || !data_.subwords->compose(word, nullptr, vector)) return false;
  if (unit_) scale_to_unit(vector, columns);
  return std::any_of(vector, vector + columns, [](float x) { return x != 0; });
}

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

WordClasses::WordClasses(const std::vector<std::string>& words) {
  ids_.reserve(words.size());
  for (const std::string& word : words) {
    const auto row = static_cast<int64_t>(first_.size());
    first_.push_back(ids_.emplace(fold_case(word), row).first->second);
  }
}

int64_t WordClasses::find(std::string_view word) const {
  const auto known = ids_.find(fold_case(word));
  return known == ids_.end() ? -1 : known->second;
}

}  // namespace acevec
