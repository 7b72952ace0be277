// The pairs of words that a text holds within the window: how many to expect, and the filter of
// those that are there.
#pragma once

#include <cstdint>
#include <vector>

#include "ace/observed.h"
#include "text/corpus.h"

namespace acevec {

// What is needed to tell how many pairs there are. `counts`: of the words, falling, all positive.
struct PairStatistics {
  PairStatistics(const Corpus& corpus, int64_t window);
  // For a text of `tokens` tokens on one line.
  PairStatistics(std::vector<int64_t> counts, double tokens, int64_t window);

  std::vector<int64_t> counts;
  double total;   // Σ counts
  double places;  // pairs of places at most a window apart, each once; lines end nowhere
};

// For each word, the number of different words, itself and more frequent ones, that it would meet
// if words were independent. Topics make real texts repeat themselves: they have 0.7 to 0.85 times
// as many different pairs. Words of about the same count are taken together: O(words).
std::vector<double> expected_partners(const PairStatistics& statistics);

// The size of the filter where the user names none, in MiB: kUsualBits for each pair of
// `expected_partners`, but at least kLeastFilter, and at most kMostFilter and a quarter of
// `memory`, the bytes that can be had. At least 1. So small a filter errs on a tenth of the absent
// pairs, which costs no quality, and is looked up faster (docs/experiments/ace.md).
inline constexpr double kUsualBits = 3.5;
inline constexpr int64_t kLeastFilter = 8;
inline constexpr int64_t kMostFilter = 1024;
int64_t filter_mebibytes(double pairs, int64_t memory);

// How ObservedPairs should share `bytes` out: its `partners`. Where there are fewer than 3 bits for
// an expected pair the most frequent words get nothing, so that all others have that: most pairs
// of two frequent words are observed, so to say it of all of them is wrong least often.
std::vector<double> partner_shares(const PairStatistics& statistics, int64_t bytes);

// The filter with all pairs of the corpus within `window`, filled on `threads` threads.
ObservedPairs observe_pairs(const Corpus& corpus, int64_t window, int64_t bytes, int threads);

}  // namespace acevec
