// Tests of sentence/ranking: measures by hand, and rankings against a plain search.

#include "tasks/sentence/ranking.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.h"

namespace acevec::ranking_test {
namespace {

std::vector<ScoredRow> ranking_of(const std::vector<int64_t>& ids) {
  std::vector<ScoredRow> ranking;
  for (const int64_t id : ids) ranking.push_back({id, -static_cast<double>(ranking.size())});
  return ranking;
}

Matrix random_rows(int64_t rows, uint64_t seed) {
  Random random(seed);
  Matrix matrix(rows, 7);
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t k = 0; k < 7; ++k) matrix.row(i)[k] = 2 * random.uniform() - 1;
  }
  return matrix;
}

double cosine(const float* a, const float* b) {
  double dot = 0, aa = 0, bb = 0;
  for (int k = 0; k < 7; ++k) {
    dot += static_cast<double>(a[k] * b[k]);
    aa += static_cast<double>(a[k] * a[k]);
    bb += static_cast<double>(b[k] * b[k]);
  }
  return dot / std::sqrt(aa * bb);
}

}  // namespace

TEST_CASE("the measures are those of the textbook") {
  std::vector<int64_t> late{9, 8, 7, 6, 5, 4, 3, 2, 1, 10, 0};  // 0 comes eleventh
  const RankingScores scores =
      score_rankings({ranking_of({3, 1, 2}), ranking_of(late), ranking_of({5}), ranking_of({1})},
                     {{{1, 1.0}, {2, 3.0}, {7, 1.0}}, {{0, 1.0}}, {{5, 2.0}}, {}});
  CHECK(scores.queries == 3);  // the last has nothing relevant
  CHECK(scores.mrr10 == doctest::Approx(100 * (0.5 + 0 + 1) / 3));
  CHECK(scores.recall10 == doctest::Approx(100 * (2.0 / 3 + 0 + 1) / 3));
  CHECK(scores.recall100 == doctest::Approx(100 * (2.0 / 3 + 1 + 1) / 3));
  const double gain = 1 / std::log2(3) + 3 / std::log2(4);
  const double ideal = 3 + 1 / std::log2(3) + 1 / std::log2(4);
  CHECK(scores.ndcg10 == doctest::Approx(100 * (gain / ideal + 0 + 1) / 3));
  CHECK(score_rankings({}, {}).queries == 0);
}

TEST_CASE("rankings are exact with any number of threads") {
  for (const int threads : {1, 3, 16}) {
    Matrix queries = random_rows(37, 1), texts = random_rows(250, 2);
    const Matrix before = random_rows(250, 2), asked = random_rows(37, 1);
    const auto rankings = rank_rows(queries, texts, nullptr, 0, threads);
    REQUIRE(rankings.size() == 37);
    for (int64_t q = 0; q < 37; ++q) {
      std::vector<std::pair<double, int64_t>> plain;
      for (int64_t i = 0; i < 250; ++i) plain.push_back({-cosine(asked.row(q), before.row(i)), i});
      std::sort(plain.begin(), plain.end());
      const auto& ranking = rankings[static_cast<size_t>(q)];
      REQUIRE(ranking.size() == 100);
      for (size_t i = 0; i < 100; ++i) {
        CHECK(ranking[i].id == plain[i].second);
        CHECK(ranking[i].score == doctest::Approx(-plain[i].first).epsilon(1e-5));
      }
    }
  }
}

}  // namespace acevec::ranking_test
