#include "tasks/metric/evaluation.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "vectors/best_rows.h"
#include "vectors/word_vectors.h"

namespace acevec {
namespace {

int32_t classes_of(const LabelledVectors& points) {
  return points.labels.empty() ? 0
                               : *std::max_element(points.labels.begin(), points.labels.end()) + 1;
}

// The class of most neighbours; ties go to the class with the nearest neighbour.
int32_t vote(std::span<const int32_t> neighbours, const std::vector<int32_t>& labels) {
  const auto label = [&](int32_t row) { return row < 0 ? -1 : labels[static_cast<size_t>(row)]; };
  int32_t best = -1;
  std::ptrdiff_t most = 0;
  for (const int32_t one : neighbours) {
    const auto own = std::count_if(neighbours.begin(), neighbours.end(),
                                   [&](int32_t other) { return label(other) == label(one); });
    if (label(one) < 0 || own <= most) continue;
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
  const std::vector<int32_t> nearest = nearest_rows(means, queries.vectors, 1, false, threads);
  int64_t right = 0;
  for (size_t i = 0; i < nearest.size(); ++i) right += nearest[i] == queries.labels[i] ? 1 : 0;
  return share(right, queries.vectors.rows());
}

}  // namespace

std::vector<int32_t> nearest_rows(const Matrix& known, const Matrix& queries, int64_t k, bool same,
                                  int threads) {
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
  std::vector<int32_t> found(static_cast<size_t>(queries.rows() * k), -1);
  int32_t* row = found.data();
  for (const std::vector<ScoredRow>& best : nearest(rows, asked, k, threads)) {
    std::ranges::transform(best, row,
                           [](const ScoredRow& one) { return static_cast<int32_t>(one.id); });
    row += k;
  }
  return found;
}

double knn_accuracy(const LabelledVectors& known, const LabelledVectors& queries, int64_t k,
                    int threads) {
  const std::vector<int32_t> nearest =
      nearest_rows(known.vectors, queries.vectors, k, false, threads);
  int64_t right = 0;
  for (int64_t i = 0; i < queries.vectors.rows(); ++i) {
    const int32_t label = vote({nearest.data() + i * k, static_cast<size_t>(k)}, known.labels);
    if (label == queries.labels[static_cast<size_t>(i)]) ++right;
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
  const std::vector<int32_t> nearest =
      nearest_rows(queries.vectors, queries.vectors, kRecall, true, threads);
  std::vector<int64_t> counts(static_cast<size_t>(classes_of(queries)));
  for (const int32_t label : queries.labels) ++counts[static_cast<size_t>(label)];
  int64_t scored = 0, first = 0, any = 0;
  for (int64_t i = 0; i < queries.vectors.rows(); ++i) {
    const int32_t own = queries.labels[static_cast<size_t>(i)];
    if (counts[static_cast<size_t>(own)] < 2) continue;
    const auto is_own = [&](int32_t j) {
      return j >= 0 && queries.labels[static_cast<size_t>(j)] == own;
    };
    const int32_t* const row = nearest.data() + i * kRecall;
    ++scored;
    if (is_own(row[0])) ++first;
    if (std::any_of(row, row + kRecall, is_own)) ++any;
  }
  scores.recall1 = share(first, scored);
  scores.recall5 = share(any, scored);
  return scores;
}

}  // namespace acevec
