// The next items of histories against a plain search.

#include "vectors/next_items.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

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
  for (size_t i = 0; i < history.items.size(); ++i) {
    const double weight = std::pow(decay, static_cast<double>(history.items.size() - 1 - i));
    double product = 0;
    for (int64_t k = 0; k < vectors.columns(); ++k) {
      product += double{vectors.row(history.items[i])[k]} * double{contexts.row(row)[k]};
    }
    sum += weight * std::pow(std::max(0.0, product), 3);
    weights += weight;
  }
  return weights > 0 ? std::cbrt(sum / weights) : 0;
}

// All rows that are not left out, the best first.
std::vector<std::pair<double, int64_t>> plain_search(const Matrix& vectors, const Matrix& contexts,
                                                     const History& history, double decay) {
  std::vector<std::pair<double, int64_t>> all;
  for (int64_t row = 0; row < contexts.rows(); ++row) {
    const auto& left_out = history.left_out;
    if (std::find(left_out.begin(), left_out.end(), row) != left_out.end()) continue;
    all.emplace_back(-score(vectors, contexts, history, decay, row), row);
  }
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<History> random_histories(int64_t items, int64_t contexts, Random& random) {
  std::vector<History> histories;
  for (uint32_t length = 0; length < 40; ++length) {
    History history;
    for (uint32_t i = 0; i < length; ++i) {
      history.items.push_back(random.below(static_cast<uint32_t>(items)));
      if (i % 3 > 0) history.left_out.push_back(random.below(static_cast<uint32_t>(contexts)));
    }
    histories.push_back(history);
  }
  return histories;
}

}  // namespace

TEST_CASE("the next items are those of a plain search, for every decay and number of threads") {
  Random random(5);
  const Matrix vectors = random_matrix(90, 30, random);
  const Matrix contexts = random_matrix(301, 30, random);
  const std::vector<History> histories = random_histories(90, 301, random);
  for (const double decay : {0.0, 0.7, 1.0}) {
    for (const int threads : {1, 3}) {
      const auto found = next_items(vectors, contexts, histories, decay, 12, threads);
      REQUIRE(found.size() == histories.size());
      for (size_t h = 0; h < found.size(); ++h) {
        const auto wanted = plain_search(vectors, contexts, histories[h], decay);
        REQUIRE(found[h].size() == 12);
        for (size_t rank = 0; rank < 12; ++rank) {
          CHECK(found[h][rank].id == wanted[rank].second);
          CHECK(double{found[h][rank].score} == doctest::Approx(-wanted[rank].first).epsilon(1e-4));
        }
      }
    }
  }
}

TEST_CASE("histories without items, and rows that are all left out") {
  Random random(6);
  const Matrix vectors = random_matrix(3, 4, random);
  const Matrix contexts = random_matrix(2, 4, random);
  CHECK(next_items(vectors, contexts, {}, 0.5, 10, 2).empty());
  const auto found = next_items(vectors, contexts, {{{}, {}}, {{2}, {0, 1}}}, 0.5, 10, 2);
  REQUIRE(found.size() == 2);
  REQUIRE(found[0].size() == 2);  // in their order
  CHECK(found[0][0].id == 0);
  CHECK(found[0][0].score == 0.0F);
  CHECK(found[0][1].id == 1);
  CHECK(found[1].empty());
}

TEST_CASE("a product that overflows is no reason to lose the other rows") {
  constexpr float kHuge = std::numeric_limits<float>::max();
  Matrix vectors(1, 2);
  Matrix contexts(3, 2);
  vectors.row(0)[0] = kHuge;
  vectors.row(0)[1] = kHuge;
  contexts.row(0)[0] = kHuge;  // inf − inf
  contexts.row(0)[1] = -kHuge;
  contexts.row(1)[0] = 1;
  const auto found = next_items(vectors, contexts, {{{0}, {}}}, 0.5, 10, 1);
  REQUIRE(!found[0].empty());
  CHECK(found[0][0].id == 1);
  for (const ScoredRow& row : found[0]) CHECK(!std::isnan(row.score));
}

}  // namespace acevec
