// Circles in pairs.

#include "tasks/order/hierarchy.h"

#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

namespace acevec {

TEST_CASE("an order has no circle") {
  CHECK(find_circle(5, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {4, 3}, {0, 3}, {0, 3}}).empty());
  CHECK(find_circle(1, {}).empty());
}

TEST_CASE("a circle is found, each concept above the one before it") {
  // 5 and 6 hang below the circle 1 -> 2 -> 3 -> 1, and 0 above it.
  const std::vector<OrderPair> pairs{{5, 1}, {6, 5}, {1, 2}, {2, 3}, {3, 1}, {3, 0}, {4, 0}};
  const std::vector<int32_t> circle = find_circle(7, pairs);
  REQUIRE(circle.size() == 4);
  CHECK(circle.front() == circle.back());
  for (size_t i = 0; i + 1 < circle.size(); ++i) {
    const OrderPair step{circle[i], circle[i + 1]};
    CHECK(std::find(pairs.begin(), pairs.end(), step) != pairs.end());
  }
}

TEST_CASE("unique pairs are sorted and different") {
  CHECK(unique_pairs({{3, 1}, {2, 1}, {3, 1}, {2, 0}}) ==
        std::vector<OrderPair>{{2, 0}, {2, 1}, {3, 1}});
}

}  // namespace acevec
