// Tests of base/streams: no two purposes have one stream, and nobody makes a stream of his own.

#include "base/streams.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>

#include "base/random.h"

namespace acevec {
namespace {

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
      return Stream::kWordGenerator;
    case Stream::kWordGenerator:
      return Stream::kHeldOutLines;
    case Stream::kHeldOutLines:
      return Stream::kHeldOutScore;
    case Stream::kHeldOutScore:
      return Stream::kStartScore;
    case Stream::kStartScore:
      return Stream::kFilterError;
    case Stream::kFilterError:
      return Stream::kFullAdversary;
    case Stream::kFullAdversary:
      return Stream::kWordStart;
    case Stream::kWordStart:
      return Stream::kFirstEpoch;
  }
  return Stream::kFirstEpoch;
}

}  // namespace

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
  CHECK(streams == 30);
  CHECK(firsts.size() == streams * kIndexes);
}

TEST_CASE("streams have names wherever random numbers are made") {
  if (!std::filesystem::exists("src/base/streams.h")) {
    MESSAGE("skipped: run from the folder of the sources");
    return;
  }
  // A number made into a stream, and Random with nothing but a seed.
  const std::regex by_hand(R"(\bStream[{(]|static_cast<Stream>|Random( \w+)?[({][^,(){}]+[)}])");
  for (const auto& entry : std::filesystem::recursive_directory_iterator("src")) {
    if (!entry.is_regular_file() || entry.path().filename() == "streams.h") continue;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      CAPTURE(entry.path().string());
      CAPTURE(line);
      CHECK_FALSE(std::regex_search(line, by_hand));
    }
  }
}

}  // namespace acevec
