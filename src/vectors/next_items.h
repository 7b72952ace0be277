// Predicts the items that follow a history of items, from item and context vectors.
#pragma once

#include <cstdint>
#include <vector>

#include "math/matrix.h"
#include "vectors/best_rows.h"

namespace acevec {

// Rows of items, oldest first; an item may occur repeatedly.
using History = std::vector<int64_t>;

struct NextSettings {
  double decay = 0.7;  // 0 .. 1: weight of an item relative to the next one's
  int64_t most = 10;   // answers per history
  bool seen = false;   // whether items of the history may be answers
};

// Throws Error when numbers are so large that cubes of products may overflow.
void require_scorable(const Matrix& vectors, const Matrix& contexts);

// Returns the best items for each history, best first. `vectors` and `contexts` have one row per
// item, and equally many columns. With vectors v, contexts u, and weights w of the history's items,
// of which the last has weight 1, the score of item y is the cubic mean of the positive products:
//
//   ∛( Σ w max(0, v · (u_y + v_y / 4))³ / Σ w ).
//
// An item that often followed one of the history's items has a large product with it, and small
// products carry no information; v_y favours items similar to those of the history.
// docs/experiments/sequences.md compares other means. Equal scores, as for an empty history (all
// 0), keep row order. Takes memory for a copy of the distinct items of all histories, and in each
// thread for 96 scores of each of these and for the answers.
std::vector<std::vector<ScoredRow>> next_items(const Matrix& vectors, const Matrix& contexts,
                                               const std::vector<History>& histories,
                                               const NextSettings& settings, int threads);

// Returns for each history the rank of its answer among all items, from 0, by the same scores.
// Items of the history other than the answer are not ranked unless `settings.seen`. Scores whose
// relative difference is below 1e-5 are equal; half of those equal to the answer's count as better.
// `answers` has one row per history. Takes memory like next_items(), without the answers.
std::vector<double> next_ranks(const Matrix& vectors, const Matrix& contexts,
                               const std::vector<History>& histories,
                               const std::vector<int64_t>& answers, const NextSettings& settings,
                               int threads);

}  // namespace acevec
