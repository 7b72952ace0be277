// Intervals as they are typed, and when their time has come.

#include "train/interval.h"

#include <doctest/doctest.h>

#include <vector>

#include "base/error.h"

namespace acevec {

TEST_CASE("tokens, times and parts of a run are told apart by their unit") {
  CHECK(interval_of("5000000").units == 5000000);
  CHECK(interval_of("1e6").units == 1000000);
  CHECK(interval_of("30s").seconds == 30);
  CHECK(interval_of("1.5m").seconds == 90);
  CHECK(interval_of("2h").seconds == 7200);
  CHECK(interval_of("5%").part == 0.05);
  CHECK(interval_of("100%").part == 1);
  const Interval minutes = interval_of("10m");
  CHECK(minutes.units == 0);
  CHECK(minutes.part == 0);
  for (const char* typed : {"", "0", "-1", "1.5", "m", "10x", "10mm", "10 m", "101%", "0%", "nan",
                            "inf", "1e300", "%", "+5"}) {
    CAPTURE(typed);
    CHECK_THROWS_WITH_AS(interval_of(typed), doctest::Contains("give a number of tokens"), Error);
  }
}

TEST_CASE("a schedule is due once for each interval, however many went by unseen") {
  const auto times_due = [](Schedule schedule, const std::vector<int64_t>& tokens) {
    std::vector<int64_t> due;
    for (const int64_t now : tokens) {
      if (schedule.due(now, static_cast<double>(now) / 10)) due.push_back(now);
    }
    return due;
  };
  const std::vector<int64_t> moments{0, 5, 99, 100, 101, 199, 205, 299, 550, 599, 640, 650, 660};
  const std::vector<int64_t> expected{100, 205, 550, 640};
  CHECK(times_due(Schedule({.units = 100}, 1000), moments) == expected);
  CHECK(times_due(Schedule({.part = 0.1}, 1000), moments) == expected);
  CHECK(times_due(Schedule({.seconds = 10}, 7), moments) == expected);
}

}  // namespace acevec
