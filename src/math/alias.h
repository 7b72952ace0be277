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
  int32_t draw(Random& random) const {
    const uint64_t bits = random();
    const auto column = static_cast<uint32_t>((bits >> 32) * columns_.size() >> 32);
    const Column& chosen = columns_[column];
    return static_cast<uint32_t>(bits) < chosen.threshold ? static_cast<int32_t>(column)
                                                          : chosen.alias;
  }

 private:
  struct Column {
    uint32_t threshold;  // the column's own outcome is taken for bits below this
    int32_t alias;       // and this one otherwise
  };

  std::vector<Column> columns_;
};

}  // namespace acevec
