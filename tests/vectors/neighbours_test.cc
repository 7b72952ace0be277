// Nearest words against a plain search.

#include "vectors/neighbours.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/random.h"
#include "vectors/unit_vectors.h"

namespace acevec {
namespace {

WordVectors random_vectors(int64_t count, int64_t size) {
  Random random(9);
  WordVectors result{{}, Matrix(count, size)};
  for (int64_t i = 0; i < count; ++i) {
    result.words.push_back("w" + std::to_string(i));
    for (int64_t k = 0; k < size; ++k) result.vectors.row(i)[k] = 2 * random.uniform() - 1;
  }
  return result;
}

double cosine(const Matrix& vectors, int64_t a, int64_t b) {
  double dot = 0;
  double a_squares = 0;
  double b_squares = 0;
  for (int64_t k = 0; k < vectors.columns(); ++k) {
    dot += double{vectors.row(a)[k]} * double{vectors.row(b)[k]};
    a_squares += double{vectors.row(a)[k]} * double{vectors.row(a)[k]};
    b_squares += double{vectors.row(b)[k]} * double{vectors.row(b)[k]};
  }
  return dot / std::sqrt(a_squares * b_squares);
}

// Rows of the vectors as queries.
std::vector<NeighbourQuery> queries_of(const UnitVectors& index, const std::vector<int64_t>& rows) {
  std::vector<NeighbourQuery> queries;
  for (const int64_t row : rows) {
    const float* const unit = index.rows().row(row);
    queries.push_back({{unit, unit + index.rows().columns()}, {row}});
  }
  return queries;
}

}  // namespace

TEST_CASE("the nearest words are those of a plain search, in order, for any number of threads") {
  constexpr int64_t kCount = 1500;
  const WordVectors plain = random_vectors(kCount, 30);
  const UnitVectors index(random_vectors(kCount, 30));
  std::vector<int64_t> queries;
  for (int64_t i = 0; i < 300; ++i) queries.push_back(i * 5);
  for (const int threads : {1, 3}) {
    const auto found = nearest(index.rows(), queries_of(index, queries), 7, threads);
    REQUIRE(found.size() == queries.size());
    for (size_t q = 0; q < queries.size(); q += 37) {
      std::vector<std::pair<double, int64_t>> all;
      for (int64_t i = 0; i < kCount; ++i) {
        if (i != queries[q]) all.emplace_back(-cosine(plain.vectors, queries[q], i), i);
      }
      std::sort(all.begin(), all.end());
      REQUIRE(found[q].size() == 7);
      for (size_t rank = 0; rank < 7; ++rank) {
        CHECK(found[q][rank].id == all[rank].second);
        CHECK(found[q][rank].score == doctest::Approx(-all[rank].first).epsilon(1e-4));
      }
    }
  }
}

TEST_CASE("fewer words than wanted, zeros, and unknown words") {
  WordVectors vectors{{"a", "b", "a"}, Matrix(3, 2)};
  vectors.vectors.row(0)[0] = 2;  // "b" stays zero
  vectors.vectors.row(2)[0] = -1;
  const UnitVectors index(std::move(vectors));
  CHECK(index.find("a") == 0);  // the first of two
  CHECK(index.find("c") == -1);
  const auto found = nearest(index.rows(), queries_of(index, {0}), 10, 1);
  REQUIRE(found[0].size() == 2);
  CHECK(found[0][0].id == 1);
  CHECK(found[0][0].score == 0);
  CHECK(found[0][1].score == -1);
}

}  // namespace acevec
