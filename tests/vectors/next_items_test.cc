// The next items of histories against a plain search.

#include "vectors/next_items.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/random.h"

namespace acevec {
namespace {

Matrix random_matrix(int64_t rows, int64_t columns, Random& random) {
  Matrix matrix(rows, columns);
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t k = 0; k < columns; ++k) matrix.row(i)[k] = 2 * random.uniform() - 1;
  }
  return matrix;
}

// By definition: the cubic mean of the positive products, an item's weight being decay^age.
double score(const Matrix& vectors, const Matrix& contexts, const History& history, double decay,
             int64_t row) {
  double sum = 0;
  double weights = 0;
  for (size_t i = 0; i < history.size(); ++i) {
    const double weight = std::pow(decay, static_cast<double>(history.size() - 1 - i));
    double product = 0;
    for (int64_t k = 0; k < vectors.columns(); ++k) {
      const double answer = double{contexts.row(row)[k]} + double{vectors.row(row)[k]} / 4;
      product += double{vectors.row(history[i])[k]} * answer;
    }
    sum += weight * std::pow(std::max(0.0, product), 3);
    weights += weight;
  }
  return weights > 0 ? std::cbrt(sum / weights) : 0;
}

// All rows that may be answers, the best first.
std::vector<std::pair<double, int64_t>> plain_search(const Matrix& vectors, const Matrix& contexts,
                                                     const History& history,
                                                     const NextSettings& settings) {
  std::vector<std::pair<double, int64_t>> all;
  for (int64_t row = 0; row < contexts.rows(); ++row) {
    const bool seen = std::find(history.begin(), history.end(), row) != history.end();
    if (seen && !settings.seen) continue;
    all.emplace_back(-score(vectors, contexts, history, settings.decay, row), row);
  }
  std::sort(all.begin(), all.end());
  all.resize(std::min(all.size(), static_cast<size_t>(settings.most)));
  return all;
}

// Of 0 .. 139 items: together more different ones than are scored at once.
std::vector<History> random_histories(uint32_t items, Random& random) {
  std::vector<History> histories;
  for (uint32_t length = 0; length < 140; length += 1 + length / 8) {
    History history;
    for (uint32_t i = 0; i < length; ++i) history.push_back(random.below(items));
    histories.push_back(history);
  }
  return histories;
}

}  // namespace

TEST_CASE("the next items are those of a plain search, for all settings and numbers of threads") {
  Random random(5);
  const Matrix vectors = random_matrix(301, 30, random);
  const Matrix contexts = random_matrix(301, 30, random);
  const std::vector<History> histories = random_histories(301, random);
  for (const NextSettings& settings :
       {NextSettings{0, 12, false}, {0.7, 12, false}, {1, 1, true}, {0.7, 1000, true}}) {
    for (const int threads : {1, 3}) {
      const auto found = next_items(vectors, contexts, histories, settings, threads);
      REQUIRE(found.size() == histories.size());
      for (size_t h = 0; h < found.size(); ++h) {
        const auto wanted = plain_search(vectors, contexts, histories[h], settings);
        REQUIRE(found[h].size() == wanted.size());
        for (size_t rank = 0; rank < wanted.size(); ++rank) {
          const double right = -wanted[rank].first;
          const double own =
              score(vectors, contexts, histories[h], settings.decay, found[h][rank].id);
          CHECK(found[h][rank].score == doctest::Approx(right).epsilon(1e-4));
          CHECK(own == doctest::Approx(right).epsilon(1e-4));  // nearly equal ones in any order
        }
      }
    }
  }
}

TEST_CASE("histories without items, and items that are all seen") {
  Random random(6);
  const Matrix vectors = random_matrix(3, 4, random);
  const Matrix contexts = random_matrix(3, 4, random);
  CHECK(next_items(vectors, contexts, {}, {}, 2).empty());
  const auto found = next_items(vectors, contexts, {{}, {2, 0, 1}}, {}, 2);
  REQUIRE(found.size() == 2);
  REQUIRE(found[0].size() == 3);  // in their order
  for (int64_t rank = 0; rank < 3; ++rank) {
    CHECK(found[0][static_cast<size_t>(rank)].id == rank);
    CHECK(found[0][static_cast<size_t>(rank)].score == 0);
  }
  CHECK(found[1].empty());
}

TEST_CASE("the rank of an answer is its place in a plain search, in the middle of its equals") {
  Random random(7);
  Matrix vectors = random_matrix(301, 30, random);
  Matrix contexts = random_matrix(301, 30, random);
  for (int64_t row = 100; row < 300; row += 3) {  // equals
    std::copy_n(vectors.row(7), 30, vectors.row(row));
    std::copy_n(contexts.row(7), 30, contexts.row(row));
  }
  const std::vector<History> histories = random_histories(301, random);
  std::vector<int64_t> answers;
  for (const History& history : histories) {
    answers.push_back(answers.size() % 3 == 0 ? 7 : random.below(301));
    if (answers.size() % 5 == 0) answers.back() = history[0];
  }
  for (const NextSettings& settings : {NextSettings{0, 1, false}, {0.7, 1, false}, {1, 1, true}}) {
    const auto found = next_ranks(vectors, contexts, histories, answers, settings, 1);
    CHECK(found == next_ranks(vectors, contexts, histories, answers, settings, 5));
    REQUIRE(found.size() == histories.size());
    for (size_t h = 0; h < found.size(); ++h) {
      const double own = score(vectors, contexts, histories[h], settings.decay, answers[h]);
      double rank = 0;
      for (const auto& [negative, row] :
           plain_search(vectors, contexts, histories[h], {settings.decay, 301, settings.seen})) {
        if (row == answers[h]) continue;
        const double distance = -negative - own;
        rank += std::abs(distance) < 1e-6 * own ? 0.5 : distance > 0 ? 1 : distance == 0 ? 0.5 : 0;
      }
      CHECK(found[h] == rank);
    }
  }
  CHECK(next_ranks(vectors, contexts, {}, {}, {}, 2).empty());
}

TEST_CASE("a product that overflows is no reason to lose the other rows") {
  constexpr float kHuge = std::numeric_limits<float>::max();
  Matrix vectors(3, 2);
  Matrix contexts(3, 2);
  vectors.row(0)[0] = kHuge;
  vectors.row(0)[1] = kHuge;
  contexts.row(1)[0] = kHuge;  // inf − inf where products are rounded before they are added
  contexts.row(1)[1] = -kHuge;
  contexts.row(2)[0] = 1;
  const auto found = next_items(vectors, contexts, {{0}}, {}, 1)[0];
  CHECK(std::any_of(found.begin(), found.end(), [](const ScoredRow& row) { return row.id == 2; }));
  for (const ScoredRow& row : found) CHECK(!std::isnan(row.score));
}

TEST_CASE("vectors whose products have no finite cubes are told from others") {
  Matrix vectors(2, 2);
  Matrix contexts(2, 2);
  vectors.row(1)[0] = 1e6F;
  CHECK_NOTHROW(require_scorable(vectors, contexts));
  contexts.row(0)[1] = 1e7F;
  CHECK_THROWS_AS(require_scorable(vectors, contexts), Error);
}

}  // namespace acevec
