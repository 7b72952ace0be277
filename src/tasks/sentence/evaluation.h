// Evaluation of sentence models: retrieval by cosines and words, correlation with scores of pairs.
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
  // BM25: k1 = 1.2, b = 0.75, weights log(1 + (N − n + ½) / (n + ½)) of words in n of N texts.
  WordMatches(const std::vector<std::string>& queries, const std::vector<std::string>& texts,
              TokenMode mode);

  // Adds weight · score / (the query's largest score) of each text to `scores`, one per text.
  void add(int64_t query, double weight, float* scores) const;

 private:
  struct Match {
    int32_t text;
    float score;
  };
  int64_t texts_;
  std::vector<std::vector<Match>> texts_of_;   // matches of each word
  std::vector<std::vector<int32_t>> queries_;  // words of each query that are in some text
};

// The rows that are relevant to a query, with positive grades.
using Judged = std::vector<std::pair<int64_t, double>>;

inline constexpr int64_t kRanked = 100;  // the length of rankings

// For each row of `queries`, the kRanked best rows of `texts`, best first, by cosine plus `weight`
// times the score of `matches` (null: cosine only), which must have the same queries and texts. The
// search is exact. Scales all rows to length 1.
std::vector<std::vector<ScoredRow>> rank_rows(Matrix& queries, Matrix& texts,
                                              const WordMatches* matches, double weight,
                                              int threads);

// Means over the queries with a relevant row, × 100. MRR@10: 1 / rank of the first relevant row, 0
// beyond rank 10. Recall@k: share of the relevant rows among the first k. nDCG@10 (Järvelin and
// Kekäläinen 2002): Σ grade / log2(1 + rank), divided by its largest possible value.
struct RankingScores {
  int64_t queries = 0;
  double mrr10 = 0, recall10 = 0, recall100 = 0, ndcg10 = 0;
};
RankingScores score_rankings(const std::vector<std::vector<ScoredRow>>& rankings,
                             const std::vector<Judged>& judged);

struct Collection {
  std::vector<std::string> queries, texts;
  std::vector<Judged> judged;  // per query
};

// Reads pairs whose first sides are queries and whose second sides are texts. Equal queries and
// equal texts count once, and all texts of a query are relevant. Throws Error as read_pairs() does.
Collection read_pair_collection(const std::vector<std::string>& files);

// Reads files of names and texts separated by a tab, and of judgements: lines of query, text and
// grade, or, as in TREC, of query, anything, text and grade, separated by tabs or blanks. A first
// line without a grade is a header. Grades ≤ 0 mean not relevant. Judgements of unknown queries or
// texts are skipped, and repeated judgements count once. Throws Error on any other line, on
// repeated names, and if a text has two grades for a query.
Collection read_collection(const std::string& texts, const std::string& queries,
                           const std::string& judgements);

// Pairs of sentences with human scores, such as the STS benchmark.
struct ScoredPairs {
  std::vector<std::string> sentences;  // both of each pair, consecutively
  std::vector<double> scores;
};

// Reads tab-separated fields: two sentences and a number, or, if there are at least seven, the
// number in the fifth and the sentences in the next two, as in the STS benchmark. Empty lines and a
// first one without a number are skipped. Throws Error on other lines, and if there are no pairs.
ScoredPairs read_scored_pairs(const std::string& path);

// The cosine of each pair of rows; 0 if one is zeros. Scales the rows to length 1.
std::vector<double> cosines_of_pairs(Matrix& vectors);

// Correlations of cosines with scores, × 100; NaN if undefined.
struct PairCorrelations {
  int64_t pairs;
  double pearson;
  double spearman;
};

// `vectors`: those of pairs.sentences; scales them to length 1.
PairCorrelations score_pairs(const ScoredPairs& pairs, Matrix& vectors);

}  // namespace acevec
