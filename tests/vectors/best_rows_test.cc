// The best rows against a full sort.
// Nearest words against a plain search.

#include "vectors/best_rows.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "base/random.h"
#include "vectors/word_vectors.h"

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

TEST_CASE("the best rows are those of a full sort, in whatever parts they are offered") {
  Random random(5);
  std::vector<float> scores(200);
  for (float& score : scores) score = static_cast<float>(random.below(20));  // many are equal
  scores[7] = std::numeric_limits<float>::quiet_NaN();
  const std::vector<int64_t> left_out{3, 150, -1};
  std::vector<int64_t> wanted;
  for (int64_t i = 0; i < 200; ++i) {
    if (i != 7 && i != 3 && i != 150) wanted.push_back(i);
  }
  std::stable_sort(wanted.begin(), wanted.end(), [&](int64_t a, int64_t b) {
    return scores[static_cast<size_t>(a)] > scores[static_cast<size_t>(b)];
  });
  for (const int64_t most : {1, 10, 500}) {
    BestRows upper(most), best(most);
    upper.offer(scores.data() + 90, 90, 110, left_out);
    best.offer(scores.data(), 0, 90, left_out);
    best.offer(upper);
    const std::vector<ScoredRow> found = std::move(best).sorted();
    REQUIRE(std::ssize(found) == std::min<int64_t>(most, std::ssize(wanted)));
    for (size_t i = 0; i < found.size(); ++i) CHECK(found[i].id == wanted[i]);
  }
}

TEST_CASE("the nearest words are those of a plain search, in order, for any number of threads") {
  constexpr int64_t kVectors = 1500;
  const WordVectors plain = random_vectors(kVectors, 30);
  const UnitVectors index(random_vectors(kVectors, 30));
  std::vector<int64_t> queries;
  for (int64_t i = 0; i < 300; ++i) queries.push_back(i * 5);
  for (const int threads : {1, 3}) {
    const auto found = nearest(index.rows(), queries_of(index, queries), 7, threads);
    REQUIRE(found.size() == queries.size());
    for (size_t q = 0; q < queries.size(); q += 37) {
      std::vector<std::pair<double, int64_t>> all;
      for (int64_t i = 0; i < kVectors; ++i) {
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
