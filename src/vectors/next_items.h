// Predicts the items that follow a history of items, by the vectors of items and of contexts.
#pragma once

#include <cstdint>
#include <vector>

#include "math/matrix.h"
#include "vectors/best_rows.h"

namespace acevec {

// Rows of items, the oldest first; one may come twice.
using History = std::vector<int64_t>;

struct NextSettings {
  double decay = 0.7;  // 0 .. 1: the weight of an item, relative to the next one's
  int64_t most = 10;   // answers to a history
  bool seen = false;   // items of the history may be answers
};

// Throws Error when the numbers are so large that cubes of products may not be finite.
void require_scorable(const Matrix& vectors, const Matrix& contexts);

// For each history its best items, the best first. `vectors` and `contexts` have a row for each
// item, and as many columns. With v the vectors, u the contexts, and w the weights of the history's
// items, of which the last has 1, the score of item y is the cubic mean of products, as far as they
// are positive:
//
//   ∛( Σ w max(0, v · (u_y + v_y / 4))³ / Σ w ).
//
// An item that occurred after one of the history's items has a large product with that one, and
// small products say nothing; v_y adds items that are like those of the history.
// docs/experiments/sequences.md compares other means. Equal scores, also all 0 of an empty history,
// are in the order of the rows. Takes memory for a copy of the different items of all histories,
// for 96 scores of each in each thread, and for the answers in each thread.
std::vector<std::vector<ScoredRow>> next_items(const Matrix& vectors, const Matrix& contexts,
                                               const std::vector<History>& histories,
                                               const NextSettings& settings, int threads);

// For each history the rank of its answer among all items, from 0, by the same scores. Items of the
// history other than the answer have no rank unless they may be seen. Scores that differ by less
// than 1e-5, relatively, are equal, and half of those that are equal to the answer's come first.
// `answers` has a row for each history. Takes memory as next_items() does, without the answers.
std::vector<double> next_ranks(const Matrix& vectors, const Matrix& contexts,
                               const std::vector<History>& histories,
                               const std::vector<int64_t>& answers, const NextSettings& settings,
                               int threads);

}  // namespace acevec
