// Draws from a fixed distribution in constant time (Walker's alias method, built as by Vose).
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"

namespace acevec {

// 8 bytes per outcome; word2vec's table has a fixed size of 400 MB.
class AliasTable {
 public:
  // `probabilities`: non-negative, summing to about 1, at least one outcome.
  explicit AliasTable(const std::vector<double>& probabilities);

  // Draws an index with its probability (exact to about 2⁻³²).
  int32_t draw(Random& random) const { return drawn_by(random()); }

  // The same in two parts, since the table may be too large for the nearest caches: the outcome
  // drawn by 64 random bits, and a prefetch of the column that it reads.
  int32_t drawn_by(uint64_t bits) const {
    const uint32_t column = column_of(bits);
    const Column& chosen = columns_[column];
    // Branchless: the outcome is unpredictable.
    const uint32_t other = static_cast<uint32_t>(bits) < chosen.threshold ? 0 : ~uint32_t{0};
    return static_cast<int32_t>(column ^ ((column ^ static_cast<uint32_t>(chosen.alias)) & other));
  }
  void prefetch(uint64_t bits) const { __builtin_prefetch(columns_.data() + column_of(bits)); }

 private:
  struct Column {
    uint32_t threshold;  // bits below this draw the column's own outcome
    int32_t alias;       // and others draw this one
  };

  uint32_t column_of(uint64_t bits) const {
    return static_cast<uint32_t>((bits >> 32) * columns_.size() >> 32);
  }

  std::vector<Column> columns_;
};

}  // namespace acevec
