// Sentence models made from word vectors without training, as weighted means. With rows for more
// words they are the start of training on pairs and labels.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tasks/sentence/model.h"
#include "text/vocabulary.h"
#include "train/memory_plan.h"
#include "vectors/word_vectors.h"

namespace acevec {

// The parameter a of models for search.
inline constexpr double kSearchA = 0.0003;

struct MeanSettings {
  TokenMode mode{};
  double a = 0;         // a word of frequency p has the weight a / (a + p), SIF's
  bool search = false;  // weights are the roots of these, and rows are whitened
};

// The number of rows that unknown words share. It is large, so that few of a text's unknown words
// share a row by chance.
inline constexpr int64_t kUnknownRows = 8192;

// Rows for words without a vector. Each starts with a random direction, length 1 and weight 1, so
// that texts that share such a word are near each other from the beginning.
struct MoreRows {
  std::span<const WordCount> words;  // those without a vector get a row
  int64_t unknown = kUnknownRows;
  uint64_t seed = 1;
};

// A tied bag. A word's row is its vector of length 1, with `search` whitened by frequency (see
// math/covariance.h) and again of length 1; sentences' vectors are then scaled, unless there are
// `more` rows, for training. p is the word's share of `counts`, of which only words with a vector
// count; a word without a count has p = 0. The centre is the expectation of a sentence's vector, Σ
// w p v / Σ w p, w the weights. If `vectors` has a word twice, its first row counts. Throws Error
// when `counts` has no word with a vector, and when there is nothing to whiten.
SentenceModel mean_model(WordVectors vectors, const std::vector<WordCount>& counts,
                         const MeanSettings& settings, int threads,
                         const std::optional<MoreRows>& more = {});

// The memory that mean_model() adds to that in use when vectors and counts have been read.
MemoryPlan mean_memory(const WordVectors& vectors, const MeanSettings& settings, int threads);

// Counts by Zipf's law, in proportion to 1 / (rank + 2.7), for words in order of frequency, the
// most frequent first.
std::vector<WordCount> counts_by_rank(const std::vector<std::string>& words);

// A vector of random numbers for each word, for training without given vectors.
WordVectors random_vectors(const std::vector<WordCount>& words, int64_t size, uint64_t seed);

}  // namespace acevec
