// Tests of cluster/checkpoint_parts: when the files of several processes get their names.

#include "cluster/checkpoint_parts.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "base/error.h"
#include "cluster/thread_peers.h"
#include "temporary_folder.h"

namespace acevec {
namespace {

constexpr int kCount = 3;

// The number of a file; −1 when there is none, or it is not whole.
int64_t number_at(const std::string& path) {
  try {
    return CheckpointReader(path).get<CheckpointPart>("process").number;
  } catch (const Error&) {
    return -1;
  }
}

// The same of the file that becomes `path`.
int64_t number_of_temporary(const std::string& path) {
  int64_t number = -1;
  for (const auto& entry : std::filesystem::directory_iterator(path.substr(0, path.rfind('/')))) {
    if (entry.path().string().starts_with(path + ".acevec-tmp-")) number = number_at(entry.path());
  }
  return number;
}

void save_nothing(CheckpointWriter&) {}

}  // namespace

TEST_CASE("no file gets its name before all are whole, and nobody goes on before all have theirs") {
  const TemporaryFolder folder;
  for (const int64_t number : {5, 6, 7}) {
    const int64_t before = number == 5 ? -1 : number - 1;
    among_peers(kCount, [&](ThreadPeers& peers) {
      const std::string path = folder.path("ck" + part_suffix(peers));
      int meetings = 0;
      peers.before_each = [&] {  // who waits for the others has come so far
        ++meetings;
        if (meetings == 1) CHECK(number_of_temporary(path) == number);
        CHECK(number_at(path) == (meetings == 1 ? before : number));
      };
      write_part(path, number, save_nothing, peers);
      CHECK(meetings == 2);
      peers.before_each = {};
      CHECK(number_at(path + ".previous") == before);
      CHECK(part_to_resume(folder.path("ck"), peers) == path);
    });
  }
}

TEST_CASE("when one process cannot write, all say why and keep the set that was there") {
  const TemporaryFolder folder;
  for (const int failing : {0, 2}) {
    among_peers(kCount, [&](ThreadPeers& peers) {
      const std::string path = folder.path("ck" + part_suffix(peers));
      write_part(path, 1, save_nothing, peers);
      const auto save = [&](CheckpointWriter&) {
        if (peers.rank() == failing) throw Error("no space");
      };
      CHECK_THROWS_WITH_AS(write_part(path, 2, save, peers),
                           failing == 0 ? "no space" : "process 2: no space", Error);
      CHECK(number_at(path) == 1);
      CHECK(number_of_temporary(path) == -1);
    });
  }
}

TEST_CASE("when the file of one process is damaged, all say so") {
  const TemporaryFolder folder;
  among_peers(kCount, [&](ThreadPeers& peers) {
    const std::string path = folder.path("ck" + part_suffix(peers));
    write_part(path, 1, save_nothing, peers);
    if (peers.rank() == 1) folder.write("ck.1", "no checkpoint");
    CHECK_THROWS_WITH_AS(part_to_resume(folder.path("ck"), peers), doctest::Contains("process 1: "),
                         Error);
  });
}

TEST_CASE("the newest number that all processes have is resumed") {
  const TemporaryFolder folder;
  among_peers(kCount, [&](ThreadPeers& peers) {
    const std::string path = folder.path("ck" + part_suffix(peers));
    for (const int64_t number : {1, 2}) write_part(path, number, save_nothing, peers);
    if (peers.rank() == 1) std::filesystem::remove(path);
    CHECK(number_at(part_to_resume(folder.path("ck"), peers)) == 1);
    CHECK_THROWS_AS(part_to_resume(folder.path("none"), peers), Error);
  });
  CHECK_THROWS_AS(among_peers(2, [&](Peers& peers) { part_to_resume(folder.path("ck"), peers); }),
                  Error);
}

}  // namespace acevec
