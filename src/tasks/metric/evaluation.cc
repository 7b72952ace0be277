#include "tasks/metric/evaluation.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "base/parallel.h"
#include "kernels/products.h"
#include "vectors/best_rows.h"

namespace acevec {
namespace {

// |y|² of each row.
std::vector<float> squares_of(const Matrix& rows) {
  std::vector<float> squares(static_cast<size_t>(rows.rows()));
  for (int64_t j = 0; j < rows.rows(); ++j) {
    score_rows({rows.row(j), 1}, {rows.row(j), 1}, rows.stride(),
               {&squares[static_cast<size_t>(j)], 1});
  }
  return squares;
}

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
  constexpr int64_t kQueries = 64, kBlock = 1024;  // per block: scores fit in the L2 cache
  std::vector<int32_t> nearest(static_cast<size_t>(queries.rows() * k), -1);
  const std::vector<float> squares = squares_of(known);
  in_blocks(threads, queries.rows(), kQueries, [&](int64_t first, int64_t end) {
    const int64_t some = end - first;
    std::vector<BestRows> near(static_cast<size_t>(some), BestRows(k));
    std::vector<float> scores(static_cast<size_t>(some * kBlock));
    for (int64_t begin = 0; begin < known.rows(); begin += kBlock) {
      const int64_t count = std::min(kBlock, known.rows() - begin);
      score_rows({queries.row(first), some}, {known.row(begin), count}, known.stride(),
                 {scores.data(), kBlock});
      for (int64_t i = 0; i < some; ++i) {
        // The nearest rows have the largest 2 q · y − |y|², which is |q|² minus the squared
        // distance.
        float* const row = scores.data() + i * kBlock;
        for (int64_t j = 0; j < count; ++j) {
          row[j] = 2 * row[j] - squares[static_cast<size_t>(begin + j)];
        }
        const std::vector<int64_t> left_out(same ? 1 : 0, first + i);
        near[static_cast<size_t>(i)].offer(row, begin, count, left_out);
      }
    }
    int32_t* row = nearest.data() + first * k;
    for (BestRows& best : near) {
      int32_t* to = row;
      for (const ScoredRow& one : std::move(best).sorted()) *to++ = static_cast<int32_t>(one.id);
      row += k;
    }
  });
  return nearest;
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
