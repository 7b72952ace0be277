// The names of snapshots, and when one is due.

#include "train/snapshots.h"

#include <doctest/doctest.h>

#include "temporary_folder.h"

namespace acevec {

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
