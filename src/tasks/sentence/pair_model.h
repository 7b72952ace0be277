// The model from which training on pairs starts: the mean model of known word vectors, grown by the
// words of the pairs.
#pragma once

#include <cstdint>
#include <vector>

#include "tasks/sentence/mean_model.h"
#include "tasks/sentence/model.h"
#include "text/vocabulary.h"
#include "vectors/word_vectors.h"

namespace acevec {

// Rows that words share which the model does not know. A text of many such words has few of them
// that share a row by chance.
inline constexpr int64_t kUnknownRows = 8192;

// Counts for words in the order of their frequency, the most frequent first, as Zipf's law has
// them: in proportion to 1 / (rank + 2.7).
std::vector<WordCount> counts_by_rank(const std::vector<std::string>& words);

// As many vectors of random numbers as there are words: where none are known.
WordVectors random_vectors(const std::vector<WordCount>& words, int64_t size, uint64_t seed);

struct PairModelSettings {
  MeanSettings mean;  // with `search`
  int64_t unknown = kUnknownRows;
  uint64_t seed = 1;
  int threads = 1;
};

// mean_model() of `vectors` and `counts`, and behind it random rows of length 1 and weight 1 for
// those of `words` that it lacks and for the unknown ones. So texts that share such a word are near
// each other from the beginning. Throws Error as mean_model() does.
SentenceModel pair_model(WordVectors vectors, const std::vector<WordCount>& counts,
                         const std::vector<WordCount>& words, const PairModelSettings& settings);

}  // namespace acevec
