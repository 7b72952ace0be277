#include "tasks/metric/evaluation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "vectors/word_vectors.h"

namespace acevec {
namespace {

int32_t classes_of(const LabelledVectors& points) {
  return points.labels.empty() ? 0
                               : *std::max_element(points.labels.begin(), points.labels.end()) + 1;
}

// The class of most neighbours; ties go to the class with the nearest neighbour.
int32_t vote(const std::vector<ScoredRow>& neighbours, const std::vector<int32_t>& labels) {
  const auto label = [&](const ScoredRow& one) { return labels[static_cast<size_t>(one.id)]; };
  int32_t best = -1;
  std::ptrdiff_t most = 0;
  for (const ScoredRow& one : neighbours) {
    const auto own = std::ranges::count(neighbours, label(one), label);
    if (own <= most) continue;
    most = own;
    best = label(one);
  }
  return best;
}

double share(int64_t part, int64_t all) {
  return all > 0 ? static_cast<double>(part) / static_cast<double>(all) : 0;
}

double means_accuracy(const LabelledVectors& known, const LabelledVectors& queries, int threads) {
  const int32_t classes = classes_of(known);
  Matrix means(classes, known.vectors.columns());
  std::vector<int64_t> counts(static_cast<size_t>(classes));
  for (int64_t i = 0; i < known.vectors.rows(); ++i) {
    const int32_t label = known.labels[static_cast<size_t>(i)];
    const auto count = static_cast<float>(++counts[static_cast<size_t>(label)]);
    float* const mean = means.row(label);
    for (int64_t k = 0; k < means.columns(); ++k) {
      mean[k] += (known.vectors.row(i)[k] - mean[k]) / count;
    }
  }
  for (int32_t label = 0; label < classes; ++label) {  // without known points: never nearest
    if (counts[static_cast<size_t>(label)] == 0) means.row(label)[0] = std::nanf("");
  }
  std::vector<int32_t> labels(counts.size());
  std::iota(labels.begin(), labels.end(), 0);
  return knn_accuracy({means, labels}, queries, 1, threads);
}

}  // namespace

std::vector<std::vector<ScoredRow>> nearest_rows(const Matrix& known, const Matrix& queries,
                                                 int64_t k, bool same, int threads) {
  // The nearest rows have the largest q · y − |y|²/2, which is |q|²/2 minus half the squared
  // distance: the last column has 1 in queries and −|y|²/2 in rows.
  const int64_t columns = known.columns();
  Matrix rows(known.rows(), columns + 1);
  for (int64_t j = 0; j < known.rows(); ++j) {
    const float* const row = known.row(j);
    std::copy_n(row, columns, rows.row(j));
    rows.row(j)[columns] = static_cast<float>(-dot(row, row, columns) / 2);
  }
  std::vector<NeighbourQuery> asked;
  for (int64_t i = 0; i < queries.rows(); ++i) {
    asked.push_back({{queries.row(i), queries.row(i) + columns}, std::vector(same ? 1 : 0, i)});
    asked.back().vector.push_back(1);
  }
  return nearest(rows, asked, k, threads);
}

double knn_accuracy(const LabelledVectors& known, const LabelledVectors& queries, int64_t k,
                    int threads) {
  const auto nearest = nearest_rows(known.vectors, queries.vectors, k, false, threads);
  int64_t right = 0;
  for (size_t i = 0; i < nearest.size(); ++i) {
    right += vote(nearest[i], known.labels) == queries.labels[i] ? 1 : 0;
  }
  return share(right, queries.vectors.rows());
}

MetricScores score_vectors(const LabelledVectors& known, const LabelledVectors& queries, int64_t k,
                           int threads) {
  constexpr int64_t kRecall = 5;
  if (queries.vectors.rows() == 0) return {};
  MetricScores scores;
  scores.knn = knn_accuracy(known, queries, k, threads);
  scores.means = means_accuracy(known, queries, threads);
  const auto nearest = nearest_rows(queries.vectors, queries.vectors, kRecall, true, threads);
  std::vector<int64_t> counts(static_cast<size_t>(classes_of(queries)));
  for (const int32_t label : queries.labels) ++counts[static_cast<size_t>(label)];
  int64_t scored = 0, first = 0, any = 0;
  for (size_t i = 0; i < nearest.size(); ++i) {
    const int32_t own = queries.labels[i];
    if (counts[static_cast<size_t>(own)] < 2) continue;
    const auto found = std::ranges::find_if(nearest[i], [&](const ScoredRow& one) {
      return queries.labels[static_cast<size_t>(one.id)] == own;
    });
    ++scored;
    if (found == nearest[i].end()) continue;
    ++any;
    if (found == nearest[i].begin()) ++first;
  }
  scores.recall1 = share(first, scored);
  scores.recall5 = share(any, scored);
  return scores;
}

}  // namespace acevec
