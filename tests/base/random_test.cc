// Tests of base/random: uniform numbers, and streams that know nothing of each other. Seeds are
// fixed, so each test gives the same answer in every run; bounds are far out (about 5 sigma).
// No two purposes have one stream, and no code makes a stream of its own.

#include "base/random.h"

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace acevec {
namespace {

// Pearson's statistic over equally likely cells, in standard deviations from its mean.
double chi_square_sigmas(const std::vector<int>& counts) {
  double total = 0;
  for (const int count : counts) total += count;
  const double expected = total / static_cast<double>(counts.size());
  double statistic = 0;
  for (const int count : counts) statistic += (count - expected) * (count - expected) / expected;
  const double freedom = static_cast<double>(counts.size()) - 1;
  return std::abs(statistic - freedom) / std::sqrt(2 * freedom);
}

// The stream after this one in the list. That the list is complete and has no number twice is
// known when this compiles: a switch may have neither a case twice nor, without a default, one
// less than the enumeration.
Stream next(Stream stream) {
  switch (stream) {
    case Stream::kFirstEpoch:
      return Stream::kOrderSplit;
    case Stream::kOrderSplit:
      return Stream::kOrderStart;
    case Stream::kOrderStart:
      return Stream::kOrderShuffle;
    case Stream::kOrderShuffle:
      return Stream::kKgStart;
    case Stream::kKgStart:
      return Stream::kKgShuffle;
    case Stream::kKgShuffle:
      return Stream::kUnnamed;
    case Stream::kUnnamed:
      return Stream::kOrderLabels;
    case Stream::kOrderLabels:
      return Stream::kOrderGenerals;
    case Stream::kOrderGenerals:
      return Stream::kOrderSpecifics;
    case Stream::kOrderSpecifics:
      return Stream::kKgHeads;
    case Stream::kKgHeads:
      return Stream::kKgTails;
    case Stream::kKgTails:
      return Stream::kSentenceStart;
    case Stream::kSentenceStart:
      return Stream::kSentenceHeldOut;
    case Stream::kSentenceHeldOut:
      return Stream::kSentenceShuffle;
    case Stream::kSentenceShuffle:
      return Stream::kSentenceGates;
    case Stream::kSentenceGates:
      return Stream::kSentenceQueries;
    case Stream::kSentenceQueries:
      return Stream::kMetricStart;
    case Stream::kMetricStart:
      return Stream::kMetricHeldOut;
    case Stream::kMetricHeldOut:
      return Stream::kMetricShuffle;
    case Stream::kMetricShuffle:
      return Stream::kMetricGenerator;
    case Stream::kMetricGenerator:
      return Stream::kStepBlock;
    case Stream::kStepBlock:
      return Stream::kSentenceHard;
    case Stream::kSentenceHard:
      return Stream::kKgHeldOut;
    case Stream::kKgHeldOut:
      return Stream::kWordCounts;
    case Stream::kWordCounts:
      return Stream::kWordProjection;
    case Stream::kWordProjection:
      return Stream::kWordGenerator;
    case Stream::kWordGenerator:
      return Stream::kHeldOutLines;
    case Stream::kHeldOutLines:
      return Stream::kHeldOutScore;
    case Stream::kHeldOutScore:
      return Stream::kStartScore;
    case Stream::kStartScore:
      return Stream::kFullAdversary;
    case Stream::kFullAdversary:
      return Stream::kWordStart;
    case Stream::kWordStart:
      return Stream::kFirstEpoch;
  }
  return Stream::kFirstEpoch;
}

}  // namespace

TEST_CASE("below is uniform and stays below") {
  for (const uint32_t n : {1U, 2U, 3U, 6U, 100U}) {
    Random random(7, Stream::kUnnamed, n);
    std::vector<int> counts(n);
    for (int i = 0; i < 200000; ++i) {
      const uint32_t drawn = random.below(n);
      REQUIRE(drawn < n);
      ++counts[drawn];
    }
    if (n > 1) CHECK(chi_square_sigmas(counts) < 5);
  }
  Random random(7);
  uint32_t largest = 0;
  for (int i = 0; i < 1000; ++i) largest = std::max(largest, random.below(~0U));
  CHECK(largest > ~0U / 100 * 98);
}

TEST_CASE("uniform is uniform in its interval") {
  Random random(11);
  std::vector<int> counts(64);
  double sum = 0;
  constexpr int kDraws = 200000;
  for (int i = 0; i < kDraws; ++i) {
    const float drawn = random.uniform();
    REQUIRE(drawn >= 0.0F);
    REQUIRE(drawn < 1.0F);
    ++counts[static_cast<size_t>(drawn * 64)];
    sum += static_cast<double>(drawn);
  }
  CHECK(chi_square_sigmas(counts) < 5);
  CHECK(std::abs(sum / kDraws - 0.5) < 5 * std::sqrt(1.0 / 12 / kDraws));
}

TEST_CASE("every bit is set half of the time") {
  Random random(13);
  std::array<int, 64> ones{};
  constexpr int kDraws = 100000;
  for (int i = 0; i < kDraws; ++i) {
    const uint64_t bits = random();
    for (size_t k = 0; k < ones.size(); ++k) ones[k] += static_cast<int>(bits >> k & 1);
  }
  for (const int count : ones) CHECK(std::abs(count - kDraws / 2) < 5 * std::sqrt(kDraws / 4.0));
}

TEST_CASE("the same stream gives the same numbers") {
  Random one(1, epoch_stream(2), 3);
  Random again(1, epoch_stream(2), 3);
  for (int i = 0; i < 1000; ++i) CHECK(one() == again());
}

TEST_CASE("streams with neighbouring names are independent") {
  // First numbers of many streams, as an epoch's chunks have them: all different, and between two
  // streams half of the bits differ.
  std::set<uint64_t> firsts;
  int64_t differing = 0;
  uint64_t before = 0;
  constexpr int kStreams = 30;
  for (uint64_t seed = 0; seed < kStreams; ++seed) {
    for (int64_t a = 0; a < kStreams; ++a) {
      for (int64_t b = 0; b < kStreams; ++b) {
        const uint64_t first = Random(seed, epoch_stream(a), b)();
        firsts.insert(first);
        differing += std::popcount(first ^ before);
        before = first;
      }
    }
  }
  constexpr double kPairs = double{kStreams} * kStreams * kStreams;
  CHECK(firsts.size() == static_cast<size_t>(kPairs));
  CHECK(std::abs(static_cast<double>(differing) / kPairs - 32) < 5 * std::sqrt(16 / kPairs));
}

TEST_CASE("shuffling makes all orders equally likely") {
  Random random(17);
  std::map<std::vector<int>, int> seen;
  std::vector<int> values{1, 2, 3, 4};
  for (int i = 0; i < 100000; ++i) {
    shuffle(values, random);
    ++seen[values];
  }
  std::vector<int> counts;
  counts.reserve(seen.size());
  for (const auto& [order, count] : seen) counts.push_back(count);
  CHECK(counts.size() == 24);
  CHECK(chi_square_sigmas(counts) < 5);
}

TEST_CASE("swapped names are different streams") {
  CHECK(Random(1, epoch_stream(2), 3)() != Random(1, epoch_stream(3), 2)());
  CHECK(Random(1, epoch_stream(2), 3)() != Random(2, epoch_stream(1), 3)());
  CHECK(Random(1, epoch_stream(0))() != Random(0, epoch_stream(1))());
}

TEST_CASE("no two purposes draw the same numbers") {
  constexpr int64_t kIndexes = 5;
  std::set<uint64_t> firsts;
  size_t streams = 0;
  Stream stream = Stream::kFirstEpoch;
  do {
    for (int64_t index = 0; index < kIndexes; ++index) firsts.insert(Random(1, stream, index)());
    ++streams;
    stream = next(stream);
  } while (stream != Stream::kFirstEpoch);
  CHECK(streams == 32);
  CHECK(firsts.size() == streams * kIndexes);
}

TEST_CASE("streams have names wherever random numbers are made") {
  if (!std::filesystem::exists("src/base/random.h")) {
    MESSAGE("skipped: run from the folder of the sources");
    return;
  }
  // A number made into a stream, and Random with nothing but a seed.
  const std::regex by_hand(R"(\bStream[{(]|static_cast<Stream>|Random( \w+)?[({][^,(){}]+[)}])");
  for (const auto& entry : std::filesystem::recursive_directory_iterator("src")) {
    if (!entry.is_regular_file() || entry.path().filename() == "random.h") continue;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      CAPTURE(entry.path().string());
      CAPTURE(line);
      CHECK_FALSE(std::regex_search(line, by_hand));
    }
  }
}

}  // namespace acevec
