// Where training starts: what the pairs say is in order already.

#include "tasks/order/start.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>
#include "tasks/order/closure.h"
#include "tasks/order/cones.h"
#include "tasks/order/evaluation.h"
#include "tasks/order/geometry.h"
#include "tasks/order/tree.h"

namespace acevec {
namespace {

// 0 above 1 and 2, both above 3, 3 above 4; 5 below 4 and 0; 6 above 7.
const std::vector<OrderPair> kPairs{{1, 0}, {2, 0}, {3, 1}, {3, 2}, {4, 3}, {5, 4}, {5, 0}, {7, 6}};

double length(const Matrix& vectors, int64_t i) {
  return Embedding(vectors, Geometry::kCone).depth(static_cast<int32_t>(i));
}

}  // namespace

TEST_CASE("concepts come after all that is above them") {
  const std::vector<int32_t> order =
      generals_first(generals_of(8, kPairs), specifics_of(8, kPairs));
  REQUIRE(order.size() == 8);
  const auto place = [&](int32_t id) { return std::find(order.begin(), order.end(), id); };
  for (const OrderPair& pair : kPairs) CHECK(place(pair.general) < place(pair.specific));
}

TEST_CASE("nested vectors start with all pairs, and what follows from them, in order") {
  const Matrix vectors = nested_order_vectors(kPairs, 8, 10, 1);
  const Embedding embedding(vectors);
  const auto closed = transitive_closure(8, kPairs);
  REQUIRE(closed);
  for (const OrderPair& pair : *closed) CHECK(embedding.penalty(pair) == 0);
  CHECK(embedding.penalty({0, 1}) > 0);
  CHECK(embedding.penalty({6, 0}) > 0);
  // What a concept has beyond what is above it is what it would have alone.
  const Matrix alone = initial_order_vectors(kPairs, 8, 10, 1);
  for (int64_t k = 0; k < 10; ++k) {
    CHECK(vectors.row(0)[k] == alone.row(0)[k]);
    CHECK(vectors.row(1)[k] == alone.row(0)[k] + alone.row(1)[k]);
    CHECK(vectors.row(3)[k] == std::max(vectors.row(1)[k], vectors.row(2)[k]) + alone.row(3)[k]);
    CHECK(vectors.row(5)[k] == vectors.row(4)[k]);  // nothing is below it
  }
}

TEST_CASE("nested cones lie further out level by level, and a tree's nearly in each other") {
  const Matrix few = nested_cones(kPairs, 8, 10, 1);
  CHECK(length(few, 0) == doctest::Approx(length(few, 6)));
  CHECK(length(few, 1) == doctest::Approx(length(few, 2)));
  for (const OrderPair& pair : kPairs)
    CHECK(length(few, pair.general) < length(few, pair.specific));

  const Hierarchy hierarchy = tree(3, 5);  // 364 concepts
  const Matrix vectors = nested_cones(hierarchy.lines, 364, 10, 2);
  const Embedding embedding(vectors, Geometry::kCone);
  const Split split = split_pairs(hierarchy, SplitKind::kHonest, 300, 1);
  CHECK(best_threshold(embedding, split.development).accuracy > 0.99);
  for (const OrderPair& pair : hierarchy.lines) CHECK(embedding.penalty(pair) < 0.2);
}

TEST_CASE("the levels of a deep hierarchy lie closer to each other, so that all have room") {
  std::vector<OrderPair> chain;
  for (int32_t i = 0; i < 100; ++i) chain.push_back({i + 1, i});
  const Matrix vectors = nested_cones(chain, 101, 3, 1);
  for (int64_t i = 0; i < 100; ++i) CHECK(length(vectors, i) < length(vectors, i + 1));
  CHECK(length(vectors, 0) > kInnerRadius);
  CHECK(length(vectors, 100) < kOuterRadius + 1e-6);
}

TEST_CASE("what nothing is below starts at 0 and all else at half of a normal distribution") {
  constexpr int64_t kWide = 10000;
  const Matrix vectors = initial_order_vectors({{0, 1}, {3, 1}, {1, 2}}, 4, kWide, 1);
  for (const int64_t leaf : {0, 3}) {
    for (int64_t k = 0; k < kWide; ++k) CHECK(vectors.row(leaf)[k] == 0);
  }
  for (const int64_t general : {1, 2}) {
    int64_t zeros = 0;
    double squares = 0;
    for (int64_t k = 0; k < kWide; ++k) {
      const double value = double{vectors.row(general)[k]};
      CHECK(value >= 0);
      zeros += value == 0 ? 1 : 0;
      squares += value * value;
    }
    // Five standard deviations.
    CHECK(std::abs(static_cast<double>(zeros) / kWide - 0.5) < 0.025);
    CHECK(squares / kWide == doctest::Approx(0.5 * 0.25).epsilon(0.12));
  }
}

}  // namespace acevec
