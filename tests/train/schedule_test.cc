// Intervals as they are typed, and when their time has come.
// The names of snapshots, and when one is due.

#include "train/schedule.h"

#include <doctest/doctest.h>

#include <vector>

#include "base/error.h"
#include "temporary_folder.h"

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

TEST_CASE("the number stands before the ending of the file's name") {
  CHECK(snapshot_path("vecs.bin", 1) == "vecs-0001.bin");
  CHECK(snapshot_path("a.b/vecs", 12) == "a.b/vecs-0012");
  CHECK(snapshot_path("/x/v.1.txt", 9999) == "/x/v.1-9999.txt");
  CHECK(snapshot_path("./v", 12345) == "./v-12345");
  CHECK(snapshot_path(".hidden", 3) == ".hidden-0003");
}

TEST_CASE("files that a snapshot may be written over are known by their names") {
  const TemporaryFolder folder;
  const std::string output = folder.path("v.bin");
  CHECK(is_snapshot(folder.path("v-0001.bin"), output));
  CHECK(is_snapshot(folder.path("./v-12345.bin"), output));
  for (const char* other : {"v.bin", "v-1.bin", "v-0001.txt", "v-x.bin", "w-0001.bin", "v-0001"}) {
    CAPTURE(other);
    CHECK_FALSE(is_snapshot(folder.path(other), output));
  }
}

TEST_CASE("one snapshot at a time, and none at the end") {
  Snapshots snapshots("v", {.units = 100});
  snapshots.start(1000);
  CHECK(snapshots.next(99, 1000, 0).empty());
  CHECK(snapshots.next(100, 1000, 0) == "v-0001");
  CHECK(snapshots.path() == "v-0001");
  CHECK(snapshots.next(200, 1000, 0).empty());  // the first is not done
  snapshots.done();
  CHECK(snapshots.next(310, 1000, 0) == "v-0002");
  snapshots.done();
  CHECK(snapshots.next(1000, 1000, 0).empty());
}

}  // namespace acevec
