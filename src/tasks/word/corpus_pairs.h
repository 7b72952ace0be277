// The word pairs of a text within the window: their expected number, and the filter of observed
// ones.
#pragma once

#include <cstdint>
#include <vector>

#include "ace/observed.h"
#include "text/corpus.h"

namespace acevec {

// Input to the estimate of the number of pairs.
struct PairStatistics {
  std::vector<int64_t> counts;  // of the words, descending and positive
  double places;  // pairs of positions at most a window apart, each once; ignores line ends
};
PairStatistics pair_statistics(const Corpus& corpus, int64_t window);

// For each word, the expected number of distinct partners among itself and more frequent words, if
// words were independent. Real texts have topics, and 0.7 to 0.85 times as many distinct pairs.
// Words with similar counts are grouped: O(words).
std::vector<double> expected_partners(const PairStatistics& statistics);
double expected_pairs(const PairStatistics& statistics);  // their sum

// The default size of the filter in MiB: kUsualBits for each of `pairs`, of expected_pairs(), but
// at least kLeastFilter, and at most kMostFilter and a quarter of `memory`, the available bytes. At
// least 1. A filter this small errs on a tenth of the absent pairs, which costs no quality, and
// makes lookups faster (docs/experiments/ace.md).
inline constexpr double kUsualBits = 3.5;
inline constexpr int64_t kLeastFilter = 8;
inline constexpr int64_t kMostFilter = 1024;
int64_t filter_mebibytes(double pairs, int64_t memory);

// The argument `partners` by which ObservedPairs allots its `bytes`. With fewer than 3 bits for an
// expected pair the most frequent words get none, so that all others have 3: most pairs of two
// frequent words are observed, so taking all of them for observed is wrong least often.
std::vector<double> partner_shares(const PairStatistics& statistics, int64_t bytes);

// The filter of all pairs of the corpus within `window`, filled by `threads` threads.
ObservedPairs observe_pairs(const Corpus& corpus, int64_t window, int64_t bytes, int threads);

}  // namespace acevec
