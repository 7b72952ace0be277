// How well the right texts are found: the nearest of a collection for each query, and the measures
// of information retrieval.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "math/matrix.h"
#include "tasks/sentence/word_matches.h"
#include "vectors/best_rows.h"

namespace acevec {

// The rows that are relevant to a query, and their grades above 0.
using Judged = std::vector<std::pair<int64_t, double>>;

// How many rows of a ranking are kept.
inline constexpr int64_t kRanked = 100;

// For each row of `queries` the kRanked best rows of `texts`, the best first, by cosine, plus
// `weight` times the score of `matches`, where there are some (null: none), for the same queries
// and texts. Exact. All rows become unit vectors.
std::vector<std::vector<ScoredRow>> rank_rows(Matrix& queries, Matrix& texts,
                                              const WordMatches* matches, double weight,
                                              int threads);

// What rank_rows() takes beside its arguments and its result, in bytes.
int64_t ranking_bytes(int64_t texts, int threads);

// Means over the queries that have a relevant row, × 100. MRR@10: 1 / rank of the first relevant
// row, 0 behind 10. Recall@k: share of the relevant rows among the first k. nDCG@10 (Järvelin and
// Kekäläinen 2002): Σ grade / log2(1 + rank), as a part of the most that is possible.
struct RankingScores {
  int64_t queries = 0;
  double mrr10 = 0, recall10 = 0, recall100 = 0, ndcg10 = 0;
};
RankingScores score_rankings(const std::vector<std::vector<ScoredRow>>& rankings,
                             const std::vector<Judged>& judged);

}  // namespace acevec
