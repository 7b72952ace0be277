#include "tasks/word/corpus_pairs.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/parallel.h"
#include "text/token_store.h"

namespace acevec {
namespace {

constexpr double kMiB = 1 << 20;

// The number of most frequent words that get no memory, so that the others have kLeastBits per
// pair.
size_t left_out(const std::vector<double>& partners, int64_t bytes) {
  constexpr double kLeastBits = 3;  // docs/experiments/ace.md: near the best for any memory
  constexpr double kWordBits = 64;  // size of the smallest region
  double bits = 8 * static_cast<double>(bytes);
  size_t words = partners.size();
  while (words > 0) {
    bits -= std::max(kLeastBits * partners[words - 1], kWordBits);
    if (bits < 0) break;
    --words;
  }
  return words;
}

}  // namespace

PairStatistics pair_statistics(const Corpus& corpus, int64_t window) {
  return {corpus.vocabulary().counts(), static_cast<double>(corpus.tokens_of_all() * window)};
}

std::vector<double> expected_partners(const PairStatistics& statistics) {
  struct Group {
    double words;
    double share;  // mean relative frequency of its words
  };
  constexpr double kAlike = 1.1;  // a million words make 160 groups
  const std::vector<int64_t>& counts = statistics.counts;
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
  const double twice = 2 * statistics.places;
  std::vector<Group> groups;
  std::vector<double> partners;
  for (auto begin = counts.begin(); begin != counts.end();) {
    const double least = static_cast<double>(*begin) / kAlike;
    const auto end = std::partition_point(
        begin, counts.end(), [&](int64_t count) { return static_cast<double>(count) >= least; });
    const auto words = static_cast<double>(end - begin);
    const double share = std::accumulate(begin, end, 0.0) / words / total;
    double expected = (words + 1) / 2 * -std::expm1(-twice * share * share);
    for (const Group& group : groups) {
      expected += group.words * -std::expm1(-twice * share * group.share);
    }
    groups.push_back({words, share});
    partners.insert(partners.end(), static_cast<size_t>(end - begin), expected);
    begin = end;
  }
  return partners;
}

double expected_pairs(const PairStatistics& statistics) {
  const std::vector<double> partners = expected_partners(statistics);
  return std::accumulate(partners.begin(), partners.end(), 0.0);
}

int64_t filter_mebibytes(double pairs, int64_t memory) {
  const double mebibytes = pairs * kUsualBits / (8 * kMiB);
  const auto wanted = static_cast<int64_t>(std::ceil(std::min(mebibytes, double{kMostFilter})));
  const int64_t most = std::min(kMostFilter, memory / 4 / static_cast<int64_t>(kMiB));
  return std::max<int64_t>(std::min(std::max(wanted, kLeastFilter), most), 1);
}

// The number of distinct partners of a word is about a power of its count (Heaps' law), up to a
// constant factor, which ObservedPairs ignores.
std::vector<double> partner_shares(const PairStatistics& statistics, int64_t bytes) {
  std::vector<double> shares;
  for (const int64_t count : statistics.counts) {
    shares.push_back(std::pow(static_cast<double>(count), 0.75));
  }
  const size_t frequent = left_out(expected_partners(statistics), bytes);
  std::fill_n(shares.begin(), frequent, 0.0);
  return shares;
}

ObservedPairs observe_pairs(const Corpus& corpus, int64_t window, int64_t bytes, int threads) {
  ObservedPairs observed(bytes, partner_shares(pair_statistics(corpus, window), bytes));
  for_each_piece(threads, corpus.chunks(), [&](int, int64_t chunk) {
    std::vector<int32_t> ids;
    corpus.read(chunk, ids);
    for (auto start = ids.begin(); start != ids.end();) {
      const auto end = std::find(start, ids.end(), kLineEnd);
      observed.insert(&*start, end - start, window);
      start = end == ids.end() ? end : end + 1;
    }
  });
  return observed;
}

}  // namespace acevec
