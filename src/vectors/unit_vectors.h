// Words and their vectors scaled to length 1, whose dot products are cosines.
#pragma once

#include <cstdint>
#include <string_view>

#include "vectors/word_table.h"

namespace acevec {

// Scales `row` to length 1; zeros stay zeros.
void scale_to_unit(float* row, int64_t columns);

// The same for every row.
void scale_to_unit(Matrix& rows);

// The dot product.
double dot(const float* a, const float* b, int64_t columns);

class UnitVectors : private WordTable {
 public:
  explicit UnitVectors(WordVectors vectors);

  // As of WordTable; what is looked up has length 1.
  bool look_up(std::string_view word, float* unit) const;
  using WordTable::find, WordTable::rows, WordTable::words;
};

}  // namespace acevec
