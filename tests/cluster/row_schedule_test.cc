// Tests of cluster/row_schedule: frequent rows often, rare ones rarely, all of them sometimes.

#include "cluster/row_schedule.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace acevec {

TEST_CASE("rows of which nothing is known are always due") {
  const RowSchedule schedule(5, {}, 10, 64);
  for (int64_t round = 0; round < 4; ++round) {
    CHECK((schedule.due(round) == std::vector<int32_t>{0, 1, 2, 3, 4}));
  }
}

TEST_CASE("a row is due when it has changed about so often") {
  std::vector<double> changes;
  for (int row = 0; row < 2000; ++row) changes.push_back(1000.0 / (row + 1));
  constexpr int64_t kRarest = 64;
  const RowSchedule schedule(3000, changes, 10, kRarest);  // rows behind the last are as rare
  std::vector<int> times(3000);
  size_t most = 0;
  size_t least = 3000;
  for (int64_t round = 1; round <= kRarest; ++round) {
    const std::vector<int32_t> due = schedule.due(round);
    CHECK(std::is_sorted(due.begin(), due.end()));
    most = std::max(most, due.size());
    least = std::min(least, due.size());
    for (const int32_t row : due) ++times[static_cast<size_t>(row)];
  }
  for (size_t row = 0; row < times.size(); ++row) {
    REQUIRE(times[row] >= 1);
    const double period = static_cast<double>(kRarest) / times[row];
    const double expected = changes[std::min(row, changes.size() - 1)];
    if (period < kRarest) CHECK(period * expected >= 10);
    if (period > 1) CHECK(period / 2 * expected < 10);
  }
  CHECK(most - least <= 8);  // each exchange has its share
}

TEST_CASE("a row that is to be exchanged each time is") {
  const RowSchedule schedule(100, std::vector<double>(100, 1e-9), 10, 1);
  CHECK(schedule.due(7).size() == 100);
}

}  // namespace acevec
