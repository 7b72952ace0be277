// How many pairs a text has is guessed well, the filter is sized by it, and where memory is short
// it is spent where it tells most.

#include "tasks/word/corpus_pairs.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include "base/random.h"
#include "math/alias.h"
#include "tasks/word/topic_training.h"

namespace acevec::corpus_pairs_test {
namespace {

constexpr int64_t kWindow = 3;

// As of words: the frequency falls with the rank.
std::vector<int64_t> zipf_counts(int64_t words) {
  std::vector<int64_t> counts;
  for (int64_t rank = 1; rank <= words; ++rank) counts.push_back(1 + 40000 / rank);
  return counts;
}

// A text of words that are drawn each by itself, on one line.
std::vector<int32_t> draw_text(const std::vector<int64_t>& counts) {
  const auto total = std::accumulate(counts.begin(), counts.end(), 0.0);
  std::vector<double> shares;
  for (const int64_t count : counts) shares.push_back(static_cast<double>(count) / total);
  const AliasTable table(shares);
  Random random(1);
  std::vector<int32_t> ids(static_cast<size_t>(total));
  for (int32_t& id : ids) id = table.draw(random);
  return ids;
}

// Which pairs {x, y} a text has, in a plain matrix.
std::vector<uint8_t> pairs_of(const std::vector<int32_t>& ids, size_t words) {
  std::vector<uint8_t> there(words * words, 0);
  for (size_t i = 0; i < ids.size(); ++i) {
    for (size_t j = i + 1; j <= i + kWindow && j < ids.size(); ++j) {
      const auto x = static_cast<size_t>(ids[i]);
      const auto y = static_cast<size_t>(ids[j]);
      there[x * words + y] = there[y * words + x] = 1;
    }
  }
  return there;
}

ObservedPairs filled(int64_t bytes, const std::vector<double>& shares,
                     const std::vector<int32_t>& ids) {
  ObservedPairs observed(bytes, shares);
  observed.insert(ids.data(), static_cast<int64_t>(ids.size()), kWindow);
  return observed;
}

// The share of absent pairs of frequent words with any that a filter takes for observed, in about
// the shares in which they are met.
double mistakes_of(const ObservedPairs& observed, size_t words, const std::vector<uint8_t>& there) {
  Random random(2);
  const auto draw = [&] {
    const float u = random.uniform();
    return static_cast<int32_t>(u * u * static_cast<float>(words));
  };
  double mistakes = 0;
  double absent = 0;
  for (int i = 0; i < 100000; ++i) {
    const int32_t x = draw(), y = draw();
    uint8_t found = 0;
    observed.find_all(&x, 1, &y, 1, &found);
    if (there[static_cast<size_t>(x) * words + static_cast<size_t>(y)] != 0) {
      CHECK(found == 1);
      continue;
    }
    absent += 1;
    mistakes += found;
  }
  return mistakes / absent;
}

}  // namespace

TEST_CASE("the pairs of independent words are as many as expected, for each word") {
  const std::vector<int64_t> counts = zipf_counts(3000);
  const std::vector<int32_t> ids = draw_text(counts);
  const PairStatistics statistics{counts, static_cast<double>(std::ssize(ids) * kWindow)};
  const std::vector<double> partners = expected_partners(statistics);
  REQUIRE(partners.size() == counts.size());
  const std::vector<uint8_t> there = pairs_of(ids, counts.size());
  for (const size_t begin : {0, 10, 100, 500, 1000, 2000}) {
    CAPTURE(begin);
    const size_t end = std::min(2 * begin + 10, counts.size());
    double found = 0;
    double wanted = 0;
    for (size_t x = begin; x < end; ++x) {
      const auto row = there.begin() + static_cast<std::ptrdiff_t>(x * counts.size());
      found += std::accumulate(row, row + static_cast<std::ptrdiff_t>(x) + 1, 0.0);
      wanted += partners[x];
    }
    CHECK(wanted == doctest::Approx(found).epsilon(0.02));
  }
}

TEST_CASE("a text with topics has fewer pairs than expected, never many more") {
  const TemporaryFolder folder;
  const Corpus corpus = read_text(folder, topic_text());
  const std::vector<double> partners = expected_partners(pair_statistics(corpus, 5));
  const double expected = std::accumulate(partners.begin(), partners.end(), 0.0);
  CHECK(expected > 420);  // 2 · 210 pairs within the topics
  CHECK(expected <= 820);
}

TEST_CASE("a filter has 3.5 bits for each pair, within its bounds") {
  constexpr int64_t kGiB = 1 << 30;
  CHECK(filter_mebibytes(1000, 8 * kGiB) == 8);
  CHECK(filter_mebibytes(30.4e6, 8 * kGiB) == 13);  // 34 million tokens
  CHECK(filter_mebibytes(800 * 1048576.0 / 3.5 - 5, 8 * kGiB) == 100);
  CHECK(filter_mebibytes(725e6, 8 * kGiB) == 303);  // 3 thousand million
  CHECK(filter_mebibytes(1e18, 8 * kGiB) == 1024);
  CHECK(filter_mebibytes(725e6, kGiB) == 256);
  CHECK(filter_mebibytes(1000, 16 << 20) == 4);
  CHECK(filter_mebibytes(1000, 0) == 1);
  CHECK(filter_mebibytes(1000, -kGiB) == 1);
}

TEST_CASE("with 3 bits for a pair nobody is left out, with fewer only the most frequent words") {
  const std::vector<int64_t> counts = zipf_counts(3000);
  const PairStatistics statistics{counts, 300000.0 * kWindow};
  const std::vector<double> partners = expected_partners(statistics);
  double bits = 0;
  for (const double partner : partners) bits += std::max(64.0, 3 * partner);
  const auto enough = static_cast<int64_t>(bits / 8) + 1;
  const auto first = [&](int64_t bytes) {
    const std::vector<double> shares = partner_shares(statistics, bytes);
    REQUIRE(shares.size() == counts.size());
    const auto found = std::find_if(shares.begin(), shares.end(), [](double x) { return x > 0; });
    CHECK(std::all_of(found, shares.end(), [](double x) { return x > 0; }));
    return found - shares.begin();
  };
  CHECK(first(enough) == 0);
  CHECK(first(enough * 9 / 10) > 0);
  CHECK(first(enough / 2) > first(enough * 9 / 10));
  CHECK(first(enough / 2) < 3000);
  CHECK(first(1) == 3000);
}

TEST_CASE("where memory is short fewer absent pairs are lost than with a share for every word") {
  const std::vector<int64_t> counts = zipf_counts(2000);
  const std::vector<int32_t> ids = draw_text(counts);
  const PairStatistics statistics{counts, static_cast<double>(std::ssize(ids) * kWindow)};
  const std::vector<uint8_t> there = pairs_of(ids, counts.size());
  const std::vector<double> partners = expected_partners(statistics);
  const double pairs = std::accumulate(partners.begin(), partners.end(), 0.0);
  const auto bytes = static_cast<int64_t>(pairs * 1.2 / 8);
  std::vector<double> equal;
  for (const int64_t count : counts) equal.push_back(std::pow(static_cast<double>(count), 0.75));
  const double before = mistakes_of(filled(bytes, equal, ids), counts.size(), there);
  const double now =
      mistakes_of(filled(bytes, partner_shares(statistics, bytes), ids), counts.size(), there);
  MESSAGE("mistaken: ", before, " with a share for every word, ", now, " now");
  CHECK(now < 0.8 * before);
}

TEST_CASE("the filter of a corpus has its pairs, line by line, whatever the threads") {
  const TemporaryFolder folder;
  const Corpus corpus = read_text(folder, "a b c\nd e f\nd e f\n");  // ids: d e f a b c
  const auto found_by = [&](int threads) {
    const ObservedPairs observed = observe_pairs(corpus, 1, 1 << 10, threads);
    const std::vector<int32_t> ids{0, 1, 2, 3, 4, 5};
    std::vector<uint8_t> found(36);
    observed.find_all(ids.data(), 6, ids.data(), 6, found.data());
    return found;
  };
  const std::vector<uint8_t> found = found_by(1);
  CHECK(found == std::vector<uint8_t>{0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0,
                                      0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0});
  CHECK(found == found_by(3));
}

}  // namespace acevec::corpus_pairs_test
