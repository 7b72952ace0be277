// Word similarity sets: pairs of words with a human score, and how far vectors agree with it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "vectors/word_vectors.h"

namespace acevec {

// The fields of a line, without the blanks around them. The first of `separators` that the line has
// separates them, or else blanks.
std::vector<std::string_view> fields_of(std::string_view line, std::string_view separators);

struct SimilarityPair {
  std::string first;
  std::string second;
  double score;
};

struct SimilaritySet {
  std::vector<SimilarityPair> pairs;
  std::string note;  // the columns that were taken of more than three; else empty
};

// Reads lines of two words and a number, with tabs, semicolons, commas or blanks between. The first
// row tells the columns: a number may stand before the words, and other fields between them and the
// score, which is the first number behind them. Words that all end in a part of speech ("sun-n")
// lose it. Empty lines, lines that begin with # and a first line without a number are passed over.
// Throws Error at any other line, and when there is no pair.
SimilaritySet read_similarity_set(const std::string& path);

// Spearman's ρ × 100, −100 .. 100, NaN where it is undefined.
struct SimilarityScore {
  int64_t pairs;
  int64_t covered;     // both words have a vector
  double rho_covered;  // over these
  double rho_all;      // over all; a missing word is a null vector, so that its cosines are 0
};

// Words are looked up as they are, then in lower case, then by `folded`, which ignores case; at
// last they are composed, where `vectors` can.
SimilarityScore score_similarity(const std::vector<SimilarityPair>& pairs,
                                 const UnitVectors& vectors, const WordClasses& folded);

}  // namespace acevec
