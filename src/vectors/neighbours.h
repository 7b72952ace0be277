// The rows of a matrix with the largest dot products with others, such as cosines.
#pragma once

#include <cstdint>
#include <vector>

#include "math/matrix.h"
#include "vectors/best_rows.h"

namespace acevec {

struct NeighbourQuery {
  std::vector<float> vector;      // as many numbers as a row
  std::vector<int64_t> left_out;  // rows that are no answers, such as the one that is asked about
};

// For every query its `most` rows with the largest dot products, the largest first; equal ones in
// the order of the rows. Of vectors of length 1 these are cosines. Many queries at once take much
// less time than one by one: they are compared in products of matrices.
std::vector<std::vector<ScoredRow>> nearest(const Matrix& rows,
                                            const std::vector<NeighbourQuery>& queries,
                                            int64_t most, int threads);

}  // namespace acevec
