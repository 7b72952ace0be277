// How well the right texts are found: a collection of queries and texts, their nearest by cosine
// and by words, and the measures of information retrieval.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "math/matrix.h"
#include "text/tokenizer.h"
#include "vectors/best_rows.h"

namespace acevec {

class WordMatches {
 public:
  // k1 = 1.2, b = 0.75, and weights log(1 + (N − n + ½) / (n + ½)) of words that n of N texts have.
  WordMatches(const std::vector<std::string>& queries, const std::vector<std::string>& texts,
              TokenMode mode);

  // Adds weight · score of each text to `scores`, as many as there are texts. The scores of a query
  // are divided by the largest of them, so they are 0 .. 1.
  void add(int64_t query, double weight, float* scores) const;

 private:
  struct Match {
    int32_t text;
    float score;
  };
  int64_t texts_;
  std::vector<std::vector<Match>> texts_of_;   // of each word
  std::vector<std::vector<int32_t>> queries_;  // their words that some text has
};

// The rows that are relevant to a query, and their grades above 0.
using Judged = std::vector<std::pair<int64_t, double>>;

// How many rows of a ranking are kept.
inline constexpr int64_t kRanked = 100;

// Queries whose scores of all texts a thread has at a time.
inline constexpr int64_t kQueriesTogether = 16;

// For each row of `queries` the kRanked best rows of `texts`, the best first, by cosine, plus
// `weight` times the score of `matches`, where there are some (null: none), for the same queries
// and texts. Exact. All rows become unit vectors.
std::vector<std::vector<ScoredRow>> rank_rows(Matrix& queries, Matrix& texts,
                                              const WordMatches* matches, double weight,
                                              int threads);

// Means over the queries that have a relevant row, × 100. MRR@10: 1 / rank of the first relevant
// row, 0 behind 10. Recall@k: share of the relevant rows among the first k. nDCG@10 (Järvelin and
// Kekäläinen 2002): Σ grade / log2(1 + rank), as a part of the most that is possible.
struct RankingScores {
  int64_t queries = 0;
  double mrr10 = 0, recall10 = 0, recall100 = 0, ndcg10 = 0;
};
RankingScores score_rankings(const std::vector<std::vector<ScoredRow>>& rankings,
                             const std::vector<Judged>& judged);

struct Collection {
  std::vector<std::string> queries, texts;
  std::vector<Judged> judged;  // of each query
};

// The first sides of pairs are queries, and the second ones, equal ones once, the texts. Throws
// Error as read_pairs() does.
Collection read_pair_collection(const std::vector<std::string>& files);

// Files of names and texts, with a tab between, and of judgements: lines of query, text and grade,
// or of query, anything, text and grade, as TREC has them, with tabs or blanks between. A first
// line without a grade is a head. Grades of 0 and less mean not relevant. Judgements of queries or
// texts that are not there are passed over. Throws Error where a line is none of these or a name
// comes twice.
Collection read_collection(const std::string& texts, const std::string& queries,
                           const std::string& judgements);

}  // namespace acevec
