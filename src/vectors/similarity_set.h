// Word similarity sets: pairs of words with human scores, and how well vectors agree with them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "vectors/word_vectors.h"

namespace acevec {

// Returns the fields of a line, trimmed. They are separated by the first of `separators` that the
// line has, or else by blanks.
std::vector<std::string_view> fields_of(std::string_view line, std::string_view separators);

struct SimilarityPair {
  std::string first;
  std::string second;
  double score;
};

struct SimilaritySet {
  std::vector<SimilarityPair> pairs;
  std::string note;  // the columns used, if there are more than three; else empty
};

// Reads lines of two words and a number, separated by tabs, semicolons, commas or blanks. The first
// row determines the columns: a number may precede the words, and other fields may be between them
// and the score, which is the first number after them. If all words end in a part of speech
// ("sun-n"), it is removed. Skips empty lines, lines that begin with #, and a first line without a
// number. Throws Error at any other line, and when there is no pair.
SimilaritySet read_similarity_set(const std::string& path);

// Spearman's ρ × 100, −100 .. 100, NaN where it is undefined.
struct SimilarityScore {
  int64_t pairs;
  int64_t covered;     // both words have a vector
  double rho_covered;  // over the covered pairs
  double rho_all;      // over all pairs; a missing word is a zero vector, with cosines 0
};

// Looks words up as they are, then in lower case, then in `folded`, which ignores case; finally
// composes them of n-grams if `vectors` can.
SimilarityScore score_similarity(const std::vector<SimilarityPair>& pairs,
                                 const UnitVectors& vectors, const WordClasses& folded);

}  // namespace acevec
