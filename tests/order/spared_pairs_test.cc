// Which pairs are spared, against the definition.

#include "order/spared_pairs.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "base/random.h"

namespace acevec {

TEST_CASE("what may be true is spared when it shall be") {
  // 3 -> 2 -> 1 -> 0 and 4 -> 1 -> 0, of which 3 -> 1 is not known; 5 -> 6.
  const std::vector<OrderPair> pairs{{3, 2}, {3, 0}, {2, 1}, {2, 0},
                                     {1, 0}, {4, 1}, {4, 0}, {5, 6}};
  for (const bool possible : {false, true}) {
    CAPTURE(possible);
    const SparedPairs spared(7, pairs, possible);
    CHECK(spared.contains({3, 2}));
    CHECK(spared.contains({3, 3}));
    CHECK(spared.contains({3, 1}) == possible);  // all that is above 1 is above 3
    CHECK(spared.contains({4, 2}) == possible);
    CHECK(spared.contains({5, 0}) == possible);
    CHECK_FALSE(spared.contains({5, 1}));  // 5 is not known to be below 0
    CHECK_FALSE(spared.contains({1, 2}));
    CHECK_FALSE(spared.contains({0, 5}));
  }
}

TEST_CASE("possible are the pairs of which all generals of the one are the other's") {
  Random random(1);
  constexpr int32_t kConcepts = 200;
  std::vector<OrderPair> pairs;
  std::vector<std::set<int32_t>> above(kConcepts);
  for (int32_t x = 1; x < kConcepts; ++x) {
    for (uint32_t n = random.below(5); n > 0; --n) {
      const auto y = static_cast<int32_t>(random.below(static_cast<uint32_t>(std::min(x, 8))));
      pairs.push_back({x, y});
      above[static_cast<size_t>(x)].insert(y);
    }
  }
  const SparedPairs spared(kConcepts, pairs, true);
  int possible = 0;
  for (int32_t x = 0; x < kConcepts; ++x) {
    for (int32_t y = 0; y < kConcepts; ++y) {
      const auto& of_x = above[static_cast<size_t>(x)];
      const auto& of_y = above[static_cast<size_t>(y)];
      const bool wanted = std::includes(of_x.begin(), of_x.end(), of_y.begin(), of_y.end());
      possible += wanted ? 1 : 0;
      REQUIRE(spared.is_possible({x, y}) == wanted);
    }
  }
  CHECK(possible > kConcepts);
}

TEST_CASE("marks are what contains() says") {
  Random random(2);
  constexpr int32_t kConcepts = 100;
  std::vector<OrderPair> pairs;
  for (int32_t x = 1; x < kConcepts; ++x) {
    for (int32_t y = 0; y < x; ++y) {
      if (random.below(10) == 0) pairs.push_back({x, y});
    }
  }
  for (const bool possible : {false, true}) {
    const SparedPairs spared(kConcepts, pairs, possible);
    for (const Replaced replaced : {Replaced::kGeneral, Replaced::kSpecific}) {
      for (int32_t condition = 0; condition < kConcepts; ++condition) {
        std::vector<uint8_t> marks(kConcepts, 9);
        spared.mark(replaced, condition, marks.data());
        for (int32_t outcome = 0; outcome < kConcepts; ++outcome) {
          REQUIRE(marks[static_cast<size_t>(outcome)] ==
                  (spared.contains(pair_of(replaced, condition, outcome)) ? 1 : 0));
        }
      }
    }
  }
}

}  // namespace acevec
