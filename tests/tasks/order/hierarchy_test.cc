// Pairs are read, ordered and closed.

#include "tasks/order/hierarchy.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include "base/random.h"

namespace acevec::hierarchy_test {

TEST_CASE("an order has no cycle") {
  CHECK(find_cycle(5, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {4, 3}, {0, 3}, {0, 3}}).empty());
  CHECK(find_cycle(1, {}).empty());
}

TEST_CASE("a cycle is found, each concept above the one before it") {
  // 5 and 6 hang below the cycle 1 -> 2 -> 3 -> 1, and 0 above it.
  const std::vector<OrderPair> pairs{{5, 1}, {6, 5}, {1, 2}, {2, 3}, {3, 1}, {3, 0}, {4, 0}};
  const std::vector<int32_t> cycle = find_cycle(7, pairs);
  REQUIRE(cycle.size() == 4);
  CHECK(cycle.front() == cycle.back());
  for (size_t i = 0; i + 1 < cycle.size(); ++i) {
    const OrderPair step{cycle[i], cycle[i + 1]};
    CHECK(std::find(pairs.begin(), pairs.end(), step) != pairs.end());
  }
}

TEST_CASE("unique pairs are sorted and different") {
  CHECK(unique_pairs({{3, 1}, {2, 1}, {3, 1}, {2, 0}}) ==
        std::vector<OrderPair>{{2, 0}, {2, 1}, {3, 1}});
}

TEST_CASE("the closure of pairs is what a search upwards finds") {
  Random random(1);
  constexpr int32_t kConcepts = 120;
  for (const uint32_t edges : {1U, 2U, 4U}) {
    std::vector<OrderPair> pairs;
    for (int32_t x = 1; x < kConcepts; ++x) {
      for (uint32_t i = random.below(edges + 1); i > 0; --i) {
        pairs.push_back({x, static_cast<int32_t>(random.below(static_cast<uint32_t>(x)))});
      }
    }
    std::vector<OrderPair> wanted;
    for (int32_t x = 0; x < kConcepts; ++x) {
      std::set<int32_t> above;
      std::vector<int32_t> todo{x};
      while (!todo.empty()) {
        const int32_t at = todo.back();
        todo.pop_back();
        for (const OrderPair& pair : pairs) {
          if (pair.specific == at && above.insert(pair.general).second) {
            todo.push_back(pair.general);
          }
        }
      }
      for (const int32_t y : above) wanted.push_back({x, y});
    }
    const auto closed = transitive_closure(kConcepts, pairs);
    REQUIRE(closed);
    CHECK(*closed == wanted);
    CHECK(transitive_closure(kConcepts, *closed) == wanted);
    const auto count = static_cast<int64_t>(wanted.size());
    CHECK(transitive_closure(kConcepts, pairs, count));
    CHECK_FALSE(transitive_closure(kConcepts, pairs, count - 1));
  }
}

TEST_CASE("a hierarchy keeps its names with other pairs, by descending number of pairs") {
  // c -> b -> a, and c -> a.
  const Hierarchy before{Vocabulary({{"b", 2}, {"c", 1}, {"a", 1}}, 1, 0), {}};
  const auto id_of = [](const Hierarchy& hierarchy, const std::string& name) {
    int32_t id = 0;
    while (hierarchy.concepts.word(id) != name) ++id;
    return id;
  };
  const int32_t a = id_of(before, "a"), b = id_of(before, "b"), c = id_of(before, "c");
  const Hierarchy after = with_pairs(before, {{c, b}, {b, a}, {c, a}, {c, a}});
  CHECK(after.concepts.size() == 3);
  CHECK(after.concepts.word(2) == "b");
  const auto named = [&](const OrderPair& pair) {
    return after.concepts.word(pair.specific) + after.concepts.word(pair.general);
  };
  REQUIRE(after.lines.size() == 4);
  CHECK(named(after.lines[0]) == "cb");
  CHECK(named(after.lines[1]) == "ba");
  CHECK(named(after.lines[2]) == "ca");
}

}  // namespace acevec::hierarchy_test
