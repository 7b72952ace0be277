// Pairs of sentences with a human score, such as those of the STS benchmark, and the correlation of
// a model's cosines with it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "math/matrix.h"

namespace acevec {

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
struct PairScore {
  int64_t pairs;
  double pearson;
  double spearman;
};

// `vectors`: of pairs.sentences; they become unit vectors.
PairScore score_pairs(const ScoredPairs& pairs, Matrix& vectors);

}  // namespace acevec
