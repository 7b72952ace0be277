// Words joined in a line by hand.

#include "phrases/joiner.h"

#include <doctest/doctest.h>

namespace acevec {

TEST_CASE("pairs are joined from left to right, and never across lines") {
  const PairRules rules(0, [](int64_t) { return std::string_view(); }, {});
  Joiner joiner;
  joiner.add({1, 2}, 10);
  joiner.add({2, 1}, 11);
  joiner.add({3, 3}, 12);
  std::vector<int32_t> ids{1, 2, 1, -1, 1, -1, 2, 1, 3, 3, 3, 10, 2, -1, -1, 1};
  CHECK(joiner.join(rules, ids) == 3);
  CHECK(ids == std::vector<int32_t>{10, 1, -1, 1, -1, 11, 12, 3, 10, 2, -1, -1, 1});
}

}  // namespace acevec
