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

// The round of a file; −1 when there is none, or it is not whole.
int64_t round_at(const std::string& path) {
  try {
    return CheckpointReader(path).get<CheckpointPart>("process").round;
  } catch (const Error&) {
    return -1;
  }
}

// The same of the file that becomes `path`.
int64_t round_of_temporary(const std::string& path) {
  int64_t round = -1;
  for (const auto& entry : std::filesystem::directory_iterator(path.substr(0, path.rfind('/')))) {
    if (entry.path().string().starts_with(path + ".acevec-tmp-")) round = round_at(entry.path());
  }
  return round;
}

void save_nothing(CheckpointWriter&) {}

}  // namespace

TEST_CASE("no file gets its name before all are whole, and nobody goes on before all have theirs") {
  const TemporaryFolder folder;
  for (const int64_t round : {5, 6, 7}) {
    const int64_t before = round == 5 ? -1 : round - 1;
    among_peers(kCount, [&](ThreadPeers& peers) {
      const std::string path = folder.path("ck" + part_suffix(peers));
      int meetings = 0;
      peers.before_each = [&] {  // who waits for the others has come so far
        ++meetings;
        if (meetings == 1) CHECK(round_of_temporary(path) == round);
        CHECK(round_at(path) == (meetings == 1 ? before : round));
      };
      write_part(path, round, save_nothing, peers);
      CHECK(meetings == 2);
      peers.before_each = {};
      CHECK(round_at(path + ".previous") == before);
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
      CHECK(round_at(path) == 1);
      CHECK(round_of_temporary(path) == -1);
    });
  }
}

TEST_CASE("the newest round that all processes have is resumed") {
  const TemporaryFolder folder;
  among_peers(kCount, [&](ThreadPeers& peers) {
    const std::string path = folder.path("ck" + part_suffix(peers));
    for (const int64_t round : {1, 2}) write_part(path, round, save_nothing, peers);
    if (peers.rank() == 1) std::filesystem::remove(path);
    CHECK(round_at(part_to_resume(folder.path("ck"), peers)) == 1);
    CHECK_THROWS_AS(part_to_resume(folder.path("none"), peers), Error);
  });
  CHECK_THROWS_AS(among_peers(2, [&](Peers& peers) { part_to_resume(folder.path("ck"), peers); }),
                  Error);
}

}  // namespace acevec
