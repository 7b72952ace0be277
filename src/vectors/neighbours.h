// Nearest words by cosine.
#pragma once

#include <cstdint>
#include <vector>

#include "vectors/unit_vectors.h"

namespace acevec {

struct Neighbour {
  int64_t id;    // row of the vectors
  float cosine;  // −1 .. 1; 0 for a vector of zeros
};

struct NeighbourQuery {
  std::vector<float> unit;        // as many numbers as a row, of length 1
  std::vector<int64_t> left_out;  // rows that are no answers, such as the one that is asked about
};

// For every query its `most` nearest rows, nearest first; equal cosines in the order of the rows.
// Many queries at once take much less time than one by one: they are
// compared in products of matrices.
std::vector<std::vector<Neighbour>> nearest(const UnitVectors& index,
                                            const std::vector<NeighbourQuery>& queries,
                                            int64_t most, int threads);

}  // namespace acevec
