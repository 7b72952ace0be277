// Measures of how well vectors group classes: nearest neighbours, class means, retrieval.
#pragma once

#include <cstdint>
#include <vector>

#include "math/matrix.h"
#include "vectors/best_rows.h"

namespace acevec {

struct LabelledVectors {
  const Matrix& vectors;
  const std::vector<int32_t>& labels;  // class of each row, from 0
};

// The `k` nearest rows of `known` to each row of `queries`, nearest first, ties by row. `same`:
// queries are `known`, and no row is its own neighbour.
std::vector<std::vector<ScoredRow>> nearest_rows(const Matrix& known, const Matrix& queries,
                                                 int64_t k, bool same, int threads);

inline constexpr int64_t kVoters = 5;  // nearest known points that vote for a point's class

struct MetricScores {
  double knn = 0;      // share of queries whose k nearest known points vote for their class
  double means = 0;    // share of them nearest to the mean of their class's known points
  double recall1 = 0;  // share whose nearest other query is of their class,
  double recall5 = 0;  // or one of the 5 nearest
};

// Ties of votes go to the nearest point's class. Recall is over the queries with another of their
// class. All 0 if there are no queries.
MetricScores score_vectors(const LabelledVectors& known, const LabelledVectors& queries, int64_t k,
                           int threads);

// MetricScores::knn alone.
double knn_accuracy(const LabelledVectors& known, const LabelledVectors& queries, int64_t k,
                    int threads);

}  // namespace acevec
