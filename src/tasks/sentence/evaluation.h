// Evaluation of sentence models: information retrieval, where queries find texts by cosine and by
// words; and the correlation of cosines with human scores of pairs.
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
  // BM25 with k1 = 1.2, b = 0.75, and weights log(1 + (N − n + ½) / (n + ½)) of words that n of N
  // texts have.
  WordMatches(const std::vector<std::string>& queries, const std::vector<std::string>& texts,
              TokenMode mode);

  // Adds weight · score of each text to `scores`, which has a number for each text. The scores of a
  // query are divided by the largest, so they are 0 .. 1.
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

// The number of rows of a ranking that are kept.
inline constexpr int64_t kRanked = 100;

// The number of queries that a thread scores against all texts at a time.
inline constexpr int64_t kQueriesTogether = 16;

// For each row of `queries` the kRanked best rows of `texts`, the best first, by cosine plus
// `weight` times the score of `matches` (null: cosine only), which has the same queries and texts.
// Exact. All rows become unit vectors.
std::vector<std::vector<ScoredRow>> rank_rows(Matrix& queries, Matrix& texts,
                                              const WordMatches* matches, double weight,
                                              int threads);

// Means over the queries that have a relevant row, × 100. MRR@10: 1 / rank of the first relevant
// row, 0 behind 10. Recall@k: share of the relevant rows among the first k. nDCG@10 (Järvelin and
// Kekäläinen 2002): Σ grade / log2(1 + rank), divided by its largest possible value.
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

// The first sides of pairs are the queries, the second ones the texts; equal texts count once.
// Throws Error as read_pairs() does.
Collection read_pair_collection(const std::vector<std::string>& files);

// Reads files of names and texts with a tab between them, and of judgements: lines of query, text
// and grade, or, as in TREC, of query, anything, text and grade, separated by tabs or blanks. A
// first line without a grade is a header. Grades of 0 and less mean not relevant. Judgements of
// unknown queries or texts are skipped. Throws Error for any other line, and when a name occurs
// twice.
Collection read_collection(const std::string& texts, const std::string& queries,
                           const std::string& judgements);

// Pairs of sentences with a human score, such as those of the STS benchmark.
struct ScoredPairs {
  std::vector<std::string> sentences;  // both of a pair, one after the other
  std::vector<double> scores;
};

// Reads lines of fields with tabs between: two sentences and a number, or, of seven fields or more,
// the number in the fifth and the sentences behind it, as in the STS benchmark. Empty lines and a
// first line without a number are skipped. Throws Error at any other line, and when there is no
// pair.
ScoredPairs read_scored_pairs(const std::string& path);

// The cosine of each pair of rows; 0 if one is zeros. The rows become unit vectors.
std::vector<double> cosines_of_pairs(Matrix& vectors);

// Correlations of cosines and scores × 100, −100 .. 100, NaN where they are undefined.
struct PairCorrelations {
  int64_t pairs;
  double pearson;
  double spearman;
};

// `vectors`: of pairs.sentences; they become unit vectors.
PairCorrelations score_pairs(const ScoredPairs& pairs, Matrix& vectors);

}  // namespace acevec
