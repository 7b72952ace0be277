// Joins given pairs of words in a text.
#pragma once

#include <tsl/robin_map.h>

#include <cstdint>
#include <vector>

#include "phrases/pairs.h"

namespace acevec {

// Spreads the bits of a pair over the whole number (the end of splitmix64).
struct PairHash {
  size_t operator()(uint64_t key) const {
    key = (key ^ (key >> 30)) * 0xbf58476d1ce4e5b9;
    key = (key ^ (key >> 27)) * 0x94d049bb133111eb;
    return key ^ (key >> 31);
  }
};

class Joiner {
 public:
  // From now on the pair, with what is between, becomes `joined`.
  void add(const WordPair& pair, int32_t joined);

  // Joins pairs in `ids`, which may hold kLineEnd, from left to right: a word that has been joined
  // to the one before is not joined to the one behind too. Returns how many there were.
  int64_t join(const PairRules& rules, std::vector<int32_t>& ids) const;

 private:
  // For each word whether a pair begins, or ends, with it: most words in a text need no more.
  static bool holds(const std::vector<bool>& words, int32_t id);
  std::vector<bool> starts_;
  std::vector<bool> ends_;
  tsl::robin_map<uint64_t, int32_t, PairHash> joined_;
};

}  // namespace acevec
