// What each stream of random numbers is for: the one list of them, so that no two purposes draw the
// same numbers.
//
// A stream is (seed, purpose, index); base/random.h makes numbers of it. The index counts what
// shares a purpose: chunks, batches, layers. A purpose's number is part of what a seed means: with
// another, all runs that use it change.
#pragma once

#include <cstdint>

namespace acevec {

enum class Stream : uint64_t {
  // The chunks of an epoch of words. The epochs that follow have the numbers 1, 2, ...; see
  // epoch_stream().
  kFirstEpoch = 0,

  // No command trains both words and one of these, whose numbers an epoch could have.
  kOrderSplit = 0x5011,
  kOrderStart = 0x5012,
  kOrderShuffle = 0x5013,  // index: epoch
  kOrderBatch = 0x5014,    // index: batch of the run
  kKgStart = 0x6b671,
  kKgShuffle = 0x6b672,  // index: epoch
  kKgBatch = 0x6b673,    // index: batch of the run

  kUnnamed = uint64_t{1} << 62,  // for tests and the like, which draw for one purpose
  kOrderLabels,
  kOrderGenerals,  // the generator's start; index: layer, as in the next four
  kOrderSpecifics,
  kKgHeads,
  kKgTails,
  kWordGenerator,
  kHeldOutLines,  // index: line of the text
  kHeldOutScore,  // index: piece of the held-out lines
  kStartScore,
  kFilterError,
  kFullAdversary,  // index: epoch and thread

  kWordStart = ~uint64_t{0},
};

// The stream of an epoch's chunks, epochs from 0.
constexpr Stream epoch_stream(int64_t epoch) {
  return Stream{static_cast<uint64_t>(Stream::kFirstEpoch) + static_cast<uint64_t>(epoch)};
}

}  // namespace acevec
