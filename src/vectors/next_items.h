// What comes next after a history of items, by the vectors of items and those of contexts.
#pragma once

#include <cstdint>
#include <vector>

#include "math/matrix.h"
#include "vectors/best_rows.h"

namespace acevec {

struct History {
  std::vector<int64_t> items;     // rows of the vectors, the oldest first; one may come twice
  std::vector<int64_t> left_out;  // rows of the contexts that are no answers
};

// For each history its `most` best rows of `contexts`, the best first. `decay`, 0 .. 1: what the
// weight w of an item is of the next one's; the last has 1. The score of a row u is the cubic mean
// of its products with the items' vectors v, as far as they are positive:
//
//   ∛( Σ w max(0, v · u)³ / Σ w ).
//
// An item that has been seen after one of the history's items has a large product with that one,
// and nothing is known from small products: docs/experiments/sequences.md compares other means.
// Equal scores, also all 0 of an empty history, are in the order of the rows. Both matrices have as
// many columns. Takes memory for 64 scores of each different item and thread.
std::vector<std::vector<ScoredRow>> next_items(const Matrix& vectors, const Matrix& contexts,
                                               const std::vector<History>& histories, double decay,
                                               int64_t most, int threads);

}  // namespace acevec
