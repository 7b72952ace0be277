// Random streams: small, fast, and separate for each purpose, so that a run with a given seed draws
// the same numbers however its work is distributed over threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace acevec {

// The purposes of random streams; no two purposes draw the same numbers. A stream is (seed,
// purpose, index), where the index counts the streams of a purpose: chunks, batches, layers. If the
// number of a purpose changes, the results of all runs that use it change.
enum class Stream : uint64_t {
  // The chunks of the first epoch. Later epochs have the numbers 1, 2, ...; see epoch_stream().
  kFirstEpoch = 0,

  kUnnamed = uint64_t{1} << 62,  // for callers with a single purpose, such as tests

  kWordGenerator,  // a generator's initial weights; index: layer
  kHeldOutLines,   // index: line of the text
  kHeldOutScore,   // index: piece of the held-out lines
  kStartScore,
  kFullAdversary = kUnnamed + 6,  // index: epoch and thread; 5 belonged to a removed purpose

  kOrderSplit,
  kOrderLabels,
  kOrderStart,
  kOrderShuffle,   // index: epoch
  kOrderGenerals,  // generators' initial weights; index: layer
  kOrderSpecifics,

  kKgStart,
  kKgShuffle,  // index: epoch
  kKgHeads,    // generators' initial weights; index: layer
  kKgTails,

  kSentenceStart,    // index: network
  kSentenceHeldOut,  // index: document
  kSentenceShuffle,  // index: epoch
  kSentenceGates,    // index: network
  kSentenceQueries,  // the adversary's initial weights

  kMetricStart,      // index: layer
  kMetricHeldOut,    // index: point
  kMetricShuffle,    // index: epoch
  kMetricGenerator,  // initial weights; index: layer

  // A block of a step that threads share. Its seed is drawn from the step's stream; index: block.
  kStepBlock,

  kSentenceHard,  // index: epoch
  kKgHeldOut,
  kWordCounts,  // index: chunk
  kWordProjection,

  kWordStart = ~uint64_t{0},
};

// The stream of an epoch's chunks, epochs from 0.
constexpr Stream epoch_stream(int64_t epoch) {
  return Stream{static_cast<uint64_t>(Stream::kFirstEpoch) + static_cast<uint64_t>(epoch)};
}

// xoshiro256** by Blackman and Vigna (public domain), seeded through splitmix64 as they advise.
class Random {
 public:
  using result_type = uint64_t;

  // `index` is 0 where a purpose has one stream.
  explicit Random(uint64_t seed, Stream stream = Stream::kUnnamed, int64_t index = 0) {
    const uint64_t purpose = mix(mix(seed) ^ static_cast<uint64_t>(stream));
    uint64_t mixed = mix(purpose ^ static_cast<uint64_t>(index));
    for (uint64_t& word : state_) word = mix(mixed++);
  }

  static constexpr uint64_t min() { return 0; }
  static constexpr uint64_t max() { return ~uint64_t{0}; }

  // 64 uniform bits.
  uint64_t operator()() {
    const uint64_t result = rotate(state_[1] * 5, 7) * 9;
    const uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

  // Uniform in 0 .. n − 1, n ≥ 1 and below 2³². Biased by less than n/2³².
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(((*this)() >> 32) * n >> 32); }

  // Uniform in [0, 1), a multiple of 2⁻²⁴.
  float uniform() { return static_cast<float>((*this)() >> 40) * 0x1p-24F; }

 private:
  static uint64_t rotate(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
  static uint64_t mix(uint64_t x) {
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }

  uint64_t state_[4];
};

// Shuffles the values uniformly (Fisher and Yates). There must be fewer than 2³².
template <class Values>
void shuffle(Values& values, Random& random) {
  for (size_t i = values.size(); i > 1; --i) {
    std::swap(values[i - 1], values[random.below(static_cast<uint32_t>(i))]);
  }
}

}  // namespace acevec
