// Words and their vectors scaled to length 1, whose dot products are cosines.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "vectors/reader.h"

namespace acevec {

// Scales `row` to length 1; zeros stay zeros.
void scale_to_unit(float* row, int64_t columns);

class UnitVectors {
 public:
  explicit UnitVectors(WordVectors vectors);

  // The row of `word` (its first, if it is there twice), or −1.
  int64_t find(std::string_view word) const;

  const std::vector<std::string>& words() const { return data_.words; }
  const Matrix& rows() const { return data_.vectors; }

  // −1 .. 1; 0 when one of the rows is zeros.
  double cosine(int64_t a, int64_t b) const;

 private:
  WordVectors data_;
  std::unordered_map<std::string_view, int64_t> ids_;
};

}  // namespace acevec
