// Random streams: small, fast, and separate for each purpose, so that a run with a given seed draws
// the same numbers however its work is distributed over threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/streams.h"

namespace acevec {

// xoshiro256** by Blackman and Vigna (public domain), seeded through splitmix64 as they advise.
class Random {
 public:
  using result_type = uint64_t;

  // The stream of that purpose with that index, which is no matter where there is but one.
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

// Puts the values into an order of which all are equally likely (Fisher and Yates). Below 2³² of
// them.
template <class Values>
void shuffle(Values& values, Random& random) {
  for (size_t i = values.size(); i > 1; --i) {
    std::swap(values[i - 1], values[random.below(static_cast<uint32_t>(i))]);
  }
}

}  // namespace acevec
