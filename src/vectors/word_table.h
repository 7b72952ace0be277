// Words to ask for, those of a file and those that its n-grams give a vector.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "vectors/word_vectors.h"

namespace acevec {

class WordTable {
 public:
  explicit WordTable(WordVectors vectors);

  // The row of `word` (its first, if it is there twice), or −1.
  int64_t find(std::string_view word) const;

  // Copies the vector of `word` to `vector`, rows().columns() numbers: its row, or what its n-grams
  // come to. Returns false when it has neither, when all its n-grams are zeros, or when it is no
  // word, which has no blanks in it.
  bool look_up(std::string_view word, float* vector) const;

  const std::vector<std::string>& words() const { return data_.words; }
  const Matrix& rows() const { return data_.vectors; }

 private:
  WordVectors data_;
  std::unordered_map<std::string_view, int64_t> ids_;
};

}  // namespace acevec
