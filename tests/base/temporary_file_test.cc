// Tests of base/temporary_file: what a killed process leaves is removed by the next one with the
// same target, and nothing else is.

#include "base/temporary_file.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <filesystem>

#include "base/output_file.h"
#include "killed_process.h"
#include "temporary_folder.h"

namespace acevec {
namespace {

// Opens an output and stays there until it is killed.
KilledProcess process_with_output(const std::string& path, bool locked = false) {
  return KilledProcess([&](const auto& stay) {
    OutputFile file(path, locked);
    stay();
  });
}

}  // namespace

TEST_CASE("what a killed process leaves is removed by the next that writes the same file") {
  const TemporaryFolder folder;
  for (int kills = 0; kills < 3; ++kills) {
    KilledProcess process = process_with_output(folder.path("out"));
    process.kill();
    CHECK(folder.entries() == 2);  // and its lock
  }
  OutputFile file(folder.path("out"));
  file.write("new");
  file.commit();
  CHECK(folder.entries() == 1);
  CHECK(folder.read("out") == "new");
}

TEST_CASE("the temporary file of a process that lives stays") {
  const TemporaryFolder folder;
  KilledProcess process = process_with_output(folder.path("out"), true);
  {
    OutputFile here(folder.path("out"), true);
    OutputFile there(folder.path("out"), true);
    CHECK(folder.entries() == 3);
    here.commit();
    there.commit();
  }
  CHECK(folder.entries() == 2);
  process.kill();
  OutputFile(folder.path("out")).commit();
  CHECK(folder.entries() == 1);
}

TEST_CASE("only temporary files of the same target are removed") {
  const TemporaryFolder folder;
  for (const char* name : {"out.acevec-backup", "out.acevec-tmp-", "out.acevec-tmp-1234567",
                           "out2.acevec-tmp-123456", "my-out.acevec-tmp-123456"}) {
    folder.write(name, "precious");
  }
  std::filesystem::create_directory(folder.path("out.acevec-tmp-folder"));
  std::filesystem::create_symlink("out.acevec-backup", folder.path("out.acevec-tmp-symbol"));
  folder.write("out.acevec-tmp-x0A9zZ", "left behind");
  const long before = folder.entries();
  OutputFile(folder.path("out")).commit();
  CHECK(folder.entries() == before);  // one gone, and the output
  CHECK_FALSE(std::filesystem::exists(folder.path("out.acevec-tmp-x0A9zZ")));
}

TEST_CASE("a lock is taken once") {
  const TemporaryFolder folder;
  const std::string path = folder.write("file", "");
  const int first = open(path.c_str(), O_RDWR);
  const int second = open(path.c_str(), O_RDWR);
  CHECK(take_lock(first) == LockState::kTaken);
  CHECK(take_lock(second) == LockState::kHeld);
  close(first);
  CHECK(take_lock(second) == LockState::kTaken);
  close(second);
  CHECK(take_lock(second) == LockState::kUnsupported);
}

}  // namespace acevec
