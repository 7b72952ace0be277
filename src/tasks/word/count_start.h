// A start of the word vectors from the text's pair counts, in place of a random one. Training then
// needs fewer epochs: docs/experiments/small-texts.md.
//
// The words w of a text and its most frequent contexts c have the matrix
//
//     M_wc = √#(w, c) / (#(w) #(c))^(1/4),
//
// where # counts the pairs within the window by the weights of training (Stratos, Collins and Hsu
// 2015). Words start as U √S, where U S Vᵀ is about the product of M's largest singular values and
// their vectors. These come from one power iteration of random vectors (Halko, Martinsson and Tropp
// 2011).
#pragma once

#include <cstdint>

#include "math/matrix.h"
#include "tasks/word/skip_gram.h"
#include "text/corpus.h"

namespace acevec {

// Sets the rows of words that have pairs, with a mean square length of 1; the others, and columns
// beyond the singular values that are computed, stay as they are. Returns the number of pairs
// counted. Long texts are counted in parts. The result does not depend on the number of threads.
int64_t start_from_counts(const Corpus& corpus, const SkipGramSettings& settings, Matrix& words);

// About the memory that this takes beside the rows, in bytes.
int64_t count_start_bytes(const Corpus& corpus, const SkipGramSettings& settings);

}  // namespace acevec
