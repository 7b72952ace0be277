#include "vectors/word_table.h"

#include <algorithm>
#include <utility>

namespace acevec {

WordTable::WordTable(WordVectors vectors) : data_(std::move(vectors)) {
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
  return std::any_of(vector, vector + columns, [](float x) { return x != 0; });
}

}  // namespace acevec
