// A model of sentences without training: weighted means of known word vectors.
#pragma once

#include <vector>

#include "tasks/sentence/model.h"
#include "text/vocabulary.h"
#include "train/memory_plan.h"
#include "vectors/word_vectors.h"

namespace acevec {

// The a of models for search.
inline constexpr double kSearchA = 0.0003;

struct MeanSettings {
  TokenMode mode{};
  double a = 0;         // a word of frequency p has the weight a / (a + p), SIF's
  bool search = false;  // weights are the roots of these, and rows are whitened
};

// A tied bag. A word's row is its vector of length 1, with `search` whitened by frequency (see
// math/covariance.h) and again of length 1; sentences' vectors are then scaled.
// p is the word's share of `counts`, of which only words with a vector count; a word without a
// count has p = 0. The centre is the expectation of a sentence's vector, Σ w p v / Σ w p, w the
// weights. Of a word that `vectors` has twice the first row counts.
// Throws Error when `counts` has no word with a vector, and when there is nothing to whiten.
SentenceModel mean_model(WordVectors vectors, const std::vector<WordCount>& counts,
                         const MeanSettings& settings, int threads);

// What that adds to the memory in use when vectors and counts have been read.
MemoryPlan mean_memory(const WordVectors& vectors, const MeanSettings& settings, int threads);

}  // namespace acevec
