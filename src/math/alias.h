// Draws from a fixed distribution in constant time (Walker's alias method, built as by Vose).
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"

namespace acevec {

// 8 bytes per outcome, against word2vec's fixed table of 400 MB.
class AliasTable {
 public:
  // `probabilities`: non-negative, summing to about 1, at least one outcome.
  explicit AliasTable(const std::vector<double>& probabilities);

  // An index, drawn with its probability (exact to about 2⁻³²).
  int32_t draw(Random& random) const { return drawn_by(random()); }

  // The same in two parts: the outcome that 64 random bits draw, and a request to the caches for
  // the column that it reads. The table may be larger than the caches near the processor.
  int32_t drawn_by(uint64_t bits) const {
    const uint32_t column = column_of(bits);
    const Column& chosen = columns_[column];
    // No branch: no processor can tell which one is taken.
    const uint32_t other = static_cast<uint32_t>(bits) < chosen.threshold ? 0 : ~uint32_t{0};
    return static_cast<int32_t>(column ^ ((column ^ static_cast<uint32_t>(chosen.alias)) & other));
  }
  void prefetch(uint64_t bits) const { __builtin_prefetch(columns_.data() + column_of(bits)); }

 private:
  struct Column {
    uint32_t threshold;  // the column's own outcome is taken for bits below this
    int32_t alias;       // and this one otherwise
  };

  uint32_t column_of(uint64_t bits) const {
    return static_cast<uint32_t>((bits >> 32) * columns_.size() >> 32);
  }

  std::vector<Column> columns_;
};

}  // namespace acevec
