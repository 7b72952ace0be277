// Which pairs are spared, against the definition.

#include "tasks/order/spared_pairs.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "base/random.h"

namespace acevec {
namespace {

// Whether a pair is marked, which it must be for either of its concepts as the condition.
bool is_spared(const SparedPairs& spared, int64_t concepts, OrderPair pair) {
  std::vector<uint8_t> marks(static_cast<size_t>(concepts), 9);
  spared.mark(Replaced::kGeneral, pair.specific, marks.data());
  const uint8_t general = marks[static_cast<size_t>(pair.general)];
  std::fill(marks.begin(), marks.end(), uint8_t{9});
  spared.mark(Replaced::kSpecific, pair.general, marks.data());
  REQUIRE(marks[static_cast<size_t>(pair.specific)] == general);
  REQUIRE(general <= 1);
  return general == 1;
}

}  // namespace

TEST_CASE("what may be true is spared when it shall be") {
  // 3 -> 2 -> 1 -> 0 and 4 -> 1 -> 0, of which 3 -> 1 is not known; 5 -> 6.
  const std::vector<OrderPair> pairs{{3, 2}, {3, 0}, {2, 1}, {2, 0},
                                     {1, 0}, {4, 1}, {4, 0}, {5, 6}};
  for (const bool possible : {false, true}) {
    CAPTURE(possible);
    const SparedPairs spared(7, pairs, possible);
    const auto spares = [&](OrderPair pair) { return is_spared(spared, 7, pair); };
    CHECK(spares({3, 2}));
    CHECK(spares({3, 3}));
    CHECK(spares({3, 1}) == possible);  // all that is above 1 is above 3
    CHECK(spares({4, 2}) == possible);
    CHECK(spares({5, 0}) == possible);
    CHECK_FALSE(spares({5, 1}));  // 5 is not known to be below 0
    CHECK_FALSE(spares({1, 2}));
    CHECK_FALSE(spares({0, 5}));
  }
}

TEST_CASE("a pair is possible if all hypernyms of one concept are also the other's") {
  Random random(1);
  constexpr int32_t kConcepts = 200;
  std::vector<OrderPair> pairs;
  std::vector<std::set<int32_t>> above(kConcepts);
  const auto add = [&](int32_t x, int32_t y) {
    pairs.push_back({x, y});
    above[static_cast<size_t>(x)].insert(y);
  };
  for (int32_t x = 1; x < kConcepts; ++x) {
    // Few generals in common for one half of them, any for the other.
    for (uint32_t n = random.below(5); n > 0; --n) {
      const int32_t highest = x < kConcepts / 2 ? std::min(x, 8) : x;
      add(x, static_cast<int32_t>(random.below(static_cast<uint32_t>(highest))));
    }
  }
  for (const bool spare_possible : {false, true}) {
    CAPTURE(spare_possible);
    const SparedPairs spared(kConcepts, pairs, spare_possible);
    int possible = 0;
    for (int32_t x = 0; x < kConcepts; ++x) {
      for (int32_t y = 0; y < kConcepts; ++y) {
        const auto& of_x = above[static_cast<size_t>(x)];
        const auto& of_y = above[static_cast<size_t>(y)];
        const bool is_possible = std::includes(of_x.begin(), of_x.end(), of_y.begin(), of_y.end());
        possible += is_possible ? 1 : 0;
        REQUIRE(is_spared(spared, kConcepts, {x, y}) ==
                (x == y || of_x.contains(y) || (spare_possible && is_possible)));
      }
    }
    CHECK(possible > kConcepts);
  }
}

}  // namespace acevec
