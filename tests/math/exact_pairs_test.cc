// Exact sets of observed pairs against std::set.

#include "math/exact_pairs.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include "base/random.h"

namespace acevec {

TEST_CASE("exact pairs hold each pair once, and no other") {
  constexpr int32_t kConditions = 40;
  constexpr int32_t kOutcomes = 30;
  Random random(1);
  std::vector<ObservedPair> pairs;
  std::set<std::pair<int32_t, int32_t>> reference;
  for (int i = 0; i < 400; ++i) {  // with repeats; conditions from 30 on have none
    const auto condition = static_cast<int32_t>(random.below(30));
    const auto outcome = static_cast<int32_t>(random.below(kOutcomes));
    pairs.push_back({condition, outcome});
    reference.emplace(condition, outcome);
  }
  const ExactPairs exact(kConditions, pairs);
  for (int32_t c = 0; c < kConditions; ++c) {
    std::vector<int32_t> wanted;
    std::vector<uint8_t> marks(kOutcomes);
    exact.mark(c, marks.data());
    for (int32_t o = 0; o < kOutcomes; ++o) {
      const bool is_there = reference.contains({c, o});
      CHECK(exact.contains(c, o) == is_there);
      CHECK((marks[static_cast<size_t>(o)] == 1) == is_there);
      if (is_there) wanted.push_back(o);
    }
    CHECK(std::ranges::equal(exact.outcomes(c), wanted));
  }
}

TEST_CASE("no pairs at all are a set too") {
  const ExactPairs exact(3, {});
  CHECK(exact.outcomes(2).empty());
  CHECK_FALSE(exact.contains(2, 0));
}

}  // namespace acevec
