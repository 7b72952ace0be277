// How well vectors bring classes together: nearest neighbours, means of classes, retrieval.
#pragma once

#include <cstdint>
#include <vector>

#include "math/matrix.h"

namespace acevec {

struct LabelledVectors {
  const Matrix& vectors;
  const std::vector<int32_t>& labels;  // a class for each row, from 0
};

// The `k` rows of `known` that are nearest to each row of `queries`, the nearest first, of equals
// the first: queries × k, −1 where there are fewer. `same`: queries are `known`, and no row is its
// own neighbour.
std::vector<int32_t> nearest_rows(const Matrix& known, const Matrix& queries, int64_t k, bool same,
                                  int threads);

inline constexpr int64_t kVoters = 5;  // nearest known points that vote on a point's class

struct MetricScores {
  double knn = 0;      // share of queries whose k nearest known points vote for their class
  double means = 0;    // share of them nearest to the mean of their class's known points
  double recall1 = 0;  // share with a query of their class as nearest other query,
  double recall5 = 0;  // or among the 5 nearest
};

// Of equal votes those of the nearer points win. Recall is among the queries, without those that
// are alone in their class. All 0 when there is no query.
MetricScores score_vectors(const LabelledVectors& known, const LabelledVectors& queries, int64_t k,
                           int threads);

// The first of them alone.
double knn_accuracy(const LabelledVectors& known, const LabelledVectors& queries, int64_t k,
                    int threads);

}  // namespace acevec
