// What is mined of distances given by hand.

#include "tasks/metric/mining.h"

#include <cstddef>
#include <vector>

#include <doctest/doctest.h>

namespace acevec {
namespace {

std::vector<int32_t> mined(Mining rule, const std::vector<float>& distances, float positive,
                           std::vector<uint8_t> masked, int64_t count) {
  masked.resize(distances.size());
  std::vector<int32_t> chosen(static_cast<size_t>(count), 99);
  mine(rule, {distances.data(), masked.data(), static_cast<int64_t>(distances.size())}, positive,
       count, chosen.data());
  return chosen;
}

}  // namespace

TEST_CASE("each rule gives its best in order, without what is masked") {
  using Chosen = std::vector<int32_t>;
  const std::vector<float> distances{5, 1, 3, 2, 9, 3};
  CHECK(mined(Mining::kHardest, distances, 2.5F, {}, 3) == Chosen{1, 3, 2});
  CHECK(mined(Mining::kHardest, distances, 2.5F, {0, 1, 0, 1}, 5) == Chosen{2, 5, 0, 4, -1});
  CHECK(mined(Mining::kSemiHard, distances, 2.5F, {}, 6) == Chosen{2, 5, 0, 4, 3, 1});
  CHECK(mined(Mining::kSemiHard, distances, 20, {}, 2) == Chosen{4, 0});
  CHECK(mined(Mining::kSemiHard, distances, 3, {}, 1) == Chosen{0});  // 3 is not behind 3
  CHECK(mined(Mining::kUncertain, distances, 2.9F, {}, 4) == Chosen{2, 5, 3, 1});
  CHECK(mined(Mining::kUncertain, distances, 2.9F, {1, 1, 1, 1, 1, 1}, 2) == Chosen{-1, -1});
}

}  // namespace acevec
