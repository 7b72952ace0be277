// Initialises word vectors from the text's pair counts, not at random. Training then needs fewer
// epochs: docs/experiments/small-texts.md.
//
// For the words w of a text and its most frequent contexts c let
//
//     M_wc = √#(w, c) / (#(w) #(c))^(1/4),
//
// where # is the number of pairs within the window, weighted as in training (Stratos, Collins and
// Hsu 2015). Words start as U √S, where U S Vᵀ is an approximate truncated SVD of M, computed by
// one power iteration of random vectors (Halko, Martinsson and Tropp 2011).
#pragma once

#include <cstdint>

#include "math/matrix.h"
#include "tasks/word/skip_gram.h"
#include "text/corpus.h"

namespace acevec {

// Sets the rows of words that have pairs, to a mean squared length of 1; other rows, and columns
// beyond the computed singular values, are unchanged. Returns the number of pairs counted. Of long
// texts only a sample of chunks is counted. The result does not depend on the number of threads.
int64_t start_from_counts(const Corpus& corpus, const SkipGramSettings& settings, Matrix& words);

}  // namespace acevec
