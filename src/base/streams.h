// The list of all purposes of random streams, so that no two purposes draw the same numbers.
//
// A stream is (seed, purpose, index); base/random.h generates its numbers. The index counts the
// streams of a purpose: chunks, batches, layers. If the number of a purpose changes, the results of
// all runs that use it change.
#pragma once

#include <cstdint>

namespace acevec {

enum class Stream : uint64_t {
  // The pieces of an epoch. The epochs that follow have the numbers 1, 2, ...; see epoch_stream().
  kFirstEpoch = 0,

  kUnnamed = uint64_t{1} << 62,  // for tests and the like, which draw for one purpose

  kWordGenerator,  // a generator's start; index: layer
  kHeldOutLines,   // index: line of the text
  kHeldOutScore,   // index: piece of the held-out lines
  kStartScore,
  kFilterError,
  kFullAdversary,  // index: epoch and thread

  kOrderSplit,
  kOrderLabels,
  kOrderStart,
  kOrderShuffle,   // index: epoch
  kOrderGenerals,  // generators' starts; index: layer
  kOrderSpecifics,

  kKgStart,
  kKgShuffle,  // index: epoch
  kKgHeads,    // generators' starts; index: layer
  kKgTails,

  kSentenceStart,    // index: network
  kSentenceHeldOut,  // index: document
  kSentenceShuffle,  // index: epoch
  kSentenceGates,    // index: network
  kSentenceQueries,  // the adversary's start

  kMetricStart,      // index: layer
  kMetricHeldOut,    // index: point
  kMetricShuffle,    // index: epoch
  kMetricGenerator,  // its start; index: layer

  // A block of a step that threads share. Its seed is a number of the piece's stream; index: block.
  kStepBlock,

  kSentenceHard,  // index: epoch

  kWordStart = ~uint64_t{0},
};

// The stream of an epoch's chunks, epochs from 0.
constexpr Stream epoch_stream(int64_t epoch) {
  return Stream{static_cast<uint64_t>(Stream::kFirstEpoch) + static_cast<uint64_t>(epoch)};
}

}  // namespace acevec
