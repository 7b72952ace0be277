// Nearest neighbours, means of classes and Recall@K against plain loops, and on points by hand.

#include "tasks/metric/evaluation.h"

#include <algorithm>
#include <limits>
#include <vector>

#include <doctest/doctest.h>
#include "base/random.h"

namespace acevec {
namespace {

Matrix line(const std::vector<float>& places) {
  Matrix points(std::ssize(places), 1);
  for (size_t i = 0; i < places.size(); ++i) points.row(static_cast<int64_t>(i))[0] = places[i];
  return points;
}

}  // namespace

TEST_CASE("the nearest rows are those of a full sort, on any number of threads") {
  Random random(1);
  const auto random_rows = [&](int64_t rows) {
    Matrix points(rows, 3);
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t k = 0; k < 3; ++k) points.row(i)[k] = static_cast<float>(random.below(8));
    }
    return points;
  };
  const Matrix known = random_rows(1500);
  const Matrix queries = random_rows(100);
  for (const bool same : {false, true}) {
    const Matrix& asked = same ? known : queries;
    const auto nearest = nearest_rows(known, asked, 4, same, 1);
    const auto again = nearest_rows(known, asked, 4, same, 3);
    for (int64_t i = 0; i < 100; ++i) {
      std::vector<std::pair<float, int32_t>> all;
      for (int32_t j = 0; j < known.rows(); ++j) {
        float square = 0;
        for (int64_t k = 0; k < 3; ++k) {
          const float difference = known.row(j)[k] - asked.row(i)[k];
          square += difference * difference;
        }
        if (!same || i != j) all.emplace_back(square, j);
      }
      std::sort(all.begin(), all.end());
      for (size_t k = 0; k < 4; ++k) {
        CHECK(nearest[static_cast<size_t>(i)][k].id == all[k].second);
        CHECK(again[static_cast<size_t>(i)][k].id == all[k].second);
      }
    }
  }
  CHECK(nearest_rows(line({1, 2}), line({1.4F}), 3, false, 1)[0].size() == 2);
}

TEST_CASE("scores of points placed by hand") {
  const Matrix known = line({0, 1, 2, 10, 11, 12, 5});
  const std::vector<int32_t> known_labels{0, 0, 0, 1, 1, 1, 2};
  // 0.4 is right; 4.6 is near the lone 2 but outvoted by 0; 11 has a label of its own.
  const Matrix queries = line({0.4F, 4.6F, 11, 0.6F, 12.5F});
  const std::vector<int32_t> labels{0, 2, 3, 0, 2};
  const MetricScores three = score_vectors({known, known_labels}, {queries, labels}, 3, 2);
  CHECK(three.knn == doctest::Approx(2.0 / 5));
  CHECK(three.means == doctest::Approx(3.0 / 5));
  CHECK(score_vectors({known, known_labels}, {queries, labels}, 1, 1).knn ==
        doctest::Approx(3.0 / 5));
  // The query of class 3 is alone. 0.4 and 0.6 find each other; 4.6 and 12.5 do not at once.
  CHECK(three.recall1 == doctest::Approx(2.0 / 4));
  CHECK(three.recall5 == doctest::Approx(1));
  // Of equal votes the nearer wins.
  CHECK(knn_accuracy({line({0, 3}), {0, 1}}, {line({1}), {0}}, 2, 1) == 1.0);
  CHECK(knn_accuracy({line({0, 3}), {0, 1}}, {line({2}), {0}}, 2, 1) == 0.0);
  CHECK(score_vectors({known, known_labels}, {Matrix(0, 1), {}}, 3, 1).knn == 0.0);
}

TEST_CASE("a vector that is not finite is near to nothing") {
  const Matrix queries = line({std::numeric_limits<float>::quiet_NaN(), 1});
  const MetricScores scores = score_vectors({line({0, 3}), {0, 1}}, {queries, {0, 0}}, 1, 1);
  CHECK(scores.knn == 0.5);
  CHECK(scores.means == 0.5);
  CHECK(scores.recall5 == 0);
}

}  // namespace acevec
