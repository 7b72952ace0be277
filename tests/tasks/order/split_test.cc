// What splits of pairs promise.

#include "tasks/order/hierarchy.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <doctest/doctest.h>
#include "base/error.h"
#include "tasks/order/tree.h"

namespace acevec {
namespace {

// The tree's pairs, each of the first half twice.
Hierarchy with_repeats() {
  Hierarchy hierarchy = tree(3, 5);
  const std::vector<OrderPair> half(
      hierarchy.lines.begin(),
      hierarchy.lines.begin() + static_cast<std::ptrdiff_t>(hierarchy.lines.size() / 2));
  hierarchy.lines.insert(hierarchy.lines.end(), half.begin(), half.end());
  return hierarchy;
}

std::vector<OrderPair> all_of(const Split& split) {
  std::vector<OrderPair> all = split.train;
  for (const auto* part : {&split.development.positives, &split.test.positives}) {
    all.insert(all.end(), part->begin(), part->end());
  }
  std::sort(all.begin(), all.end());
  return all;
}

constexpr int64_t kHeldOut = 150;

}  // namespace

TEST_CASE("the honest split deals out every pair once, and its negatives are false") {
  const Hierarchy hierarchy = with_repeats();
  const Split split = split_pairs(hierarchy, SplitKind::kHonest, kHeldOut, 1);
  CHECK(split.test.positives.size() == kHeldOut);
  CHECK(split.development.positives.size() == kHeldOut);
  const std::vector<OrderPair> all = all_of(split);
  CHECK(all == unique_pairs(hierarchy.lines));  // so none is in two parts
  const ExactPairs truth = generals_of(hierarchy.concepts.size(), hierarchy.lines);
  for (const LabelledPairs* part : {&split.development, &split.test}) {
    REQUIRE(part->negatives.size() == kHeldOut);
    CHECK(count_shared(part->negatives, truth) == 0);
    CHECK(count_shared(part->positives, truth) == kHeldOut);
    int specifics = 0;
    for (size_t i = 0; i < part->negatives.size(); ++i) {
      const OrderPair& made = part->negatives[i];
      const OrderPair& from = part->positives[i];
      CHECK(made.specific != made.general);
      const bool specific = made.specific != from.specific;
      CHECK(specific != (made.general != from.general));  // one side, not both
      specifics += specific ? 1 : 0;
    }
    CHECK(specifics > kHeldOut / 4);
    CHECK(specifics < kHeldOut * 3 / 4);
  }
}

TEST_CASE("the paper's split deals out lines") {
  const Hierarchy hierarchy = with_repeats();
  const Split split = split_pairs(hierarchy, SplitKind::kPaper, kHeldOut, 1);
  std::vector<OrderPair> lines = hierarchy.lines;
  std::sort(lines.begin(), lines.end());
  CHECK(all_of(split) == lines);
  // Two thirds of the lines have a twin, nearly always among those to learn from.
  const ExactPairs train = generals_of(hierarchy.concepts.size(), split.train);
  CHECK(count_shared(split.test.positives, train) > kHeldOut / 3);
  CHECK(count_shared(split.test.positives, train) < kHeldOut);
}

TEST_CASE("splits and labels follow their seed") {
  const Hierarchy hierarchy = tree(3, 5);
  const auto test = [&](uint64_t seed) {
    return split_pairs(hierarchy, SplitKind::kHonest, kHeldOut, seed).test;
  };
  CHECK(test(1).positives == test(1).positives);
  CHECK(test(1).negatives == test(1).negatives);
  CHECK(test(1).positives != test(2).positives);
  const LabelledPairs labelled = label_pairs(hierarchy.lines, hierarchy, 1);
  CHECK(labelled.positives == hierarchy.lines);
  CHECK(count_shared(labelled.negatives, generals_of(hierarchy.concepts.size(), hierarchy.lines)) ==
        0);
}

TEST_CASE("where every pair is true there are no negatives") {
  Hierarchy hierarchy = tree(1, 1);
  hierarchy.lines = {{0, 1}, {1, 0}};
  CHECK_THROWS_AS(label_pairs(hierarchy.lines, hierarchy, 1), Error);
}

TEST_CASE("pairs by either side") {
  const ExactPairs above = generals_of(4, {{2, 0}, {2, 1}, {3, 1}});
  CHECK(above.contains(2, 0));
  CHECK_FALSE(above.contains(0, 2));
  const ExactPairs below = specifics_of(4, {{2, 0}, {2, 1}, {3, 1}});
  CHECK(below.contains(1, 3));
  CHECK_FALSE(below.contains(3, 1));
}

TEST_CASE("as many specific sides are replaced as asked for") {
  constexpr OrderPair kPair{1000, 1001};  // no concept that is drawn
  constexpr int kDraws = 10000;
  for (const double share : {0.0, 0.5, 0.8, 1.0}) {
    CAPTURE(share);
    Random random(1);
    int specifics = 0;
    for (int i = 0; i < kDraws; ++i) {
      const OrderPair pair = corrupted(kPair, 1000, share, random);
      CHECK((pair.specific == kPair.specific) != (pair.general == kPair.general));
      specifics += pair.specific != kPair.specific ? 1 : 0;
    }
    // 4 standard deviations at most.
    CHECK(std::abs(specifics - share * kDraws) <= 4 * std::sqrt(kDraws * share * (1 - share)));
  }
}

}  // namespace acevec
