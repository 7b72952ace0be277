// Nearest words by cosine.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "vectors/reader.h"

namespace acevec {

struct Neighbour {
  int64_t id;    // row of the vectors
  float cosine;  // −1 .. 1; 0 for a vector of zeros
};

class NeighbourIndex {
 public:
  // Takes the vectors over and scales them to length 1.
  explicit NeighbourIndex(WordVectors vectors);

  // The row of `word` (its first, if it is there twice), or −1.
  int64_t find(std::string_view word) const;

  const std::vector<std::string>& words() const { return data_.words; }

  // For every id in `queries` its `most` nearest words without itself, nearest first.
  std::vector<std::vector<Neighbour>> nearest(const std::vector<int64_t>& queries, int64_t most,
                                              int threads) const;

 private:
  WordVectors data_;
  std::unordered_map<std::string_view, int64_t> ids_;
};

}  // namespace acevec
