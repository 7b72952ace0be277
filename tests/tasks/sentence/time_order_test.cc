// Sequences of different lengths, step by step.

#include "tasks/sentence/time_order.h"

#include <doctest/doctest.h>

#include <array>

namespace acevec {

TEST_CASE("the longest sequence comes first, and all first steps before all second ones") {
  const TimeOrder order({2, 1, 4, 2});
  CHECK(order.sequences() == std::vector<size_t>{2, 0, 3, 1});
  CHECK(order.active() == std::vector<int64_t>{4, 3, 1, 1});
  CHECK(order.steps() == 9);
  std::vector<std::array<size_t, 2>> steps;
  order.for_each_step([&](int64_t row, size_t sequence, size_t step) {
    CHECK(row == static_cast<int64_t>(steps.size()));
    steps.push_back({sequence, step});
  });
  CHECK(steps == std::vector<std::array<size_t, 2>>{
                     {2, 0}, {0, 0}, {3, 0}, {1, 0}, {2, 1}, {0, 1}, {3, 1}, {2, 2}, {2, 3}});
}

}  // namespace acevec
