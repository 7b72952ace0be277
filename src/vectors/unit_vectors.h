// Words and their vectors scaled to length 1, whose dot products are cosines.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "vectors/word_table.h"

namespace acevec {

// Scales `row` to length 1; zeros stay zeros.
void scale_to_unit(float* row, int64_t columns);

// The dot product.
double dot(const float* a, const float* b, int64_t columns);

class UnitVectors {
 public:
  explicit UnitVectors(WordVectors vectors);

  // As of WordTable; what is looked up has length 1.
  int64_t find(std::string_view word) const { return table_.find(word); }
  bool look_up(std::string_view word, float* unit) const;

  const std::vector<std::string>& words() const { return table_.words(); }
  const Matrix& rows() const { return table_.rows(); }

 private:
  WordTable table_;
};

}  // namespace acevec
