// Tests of base/file_lock: one holder at a time, and none that is dead.

#include "base/file_lock.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <optional>

#include "base/error.h"
#include "killed_process.h"
#include "temporary_folder.h"

namespace acevec::file_lock_test {
namespace {

std::string refusal(const std::string& path) {
  try {
    const FileLock lock(path);
  } catch (const Error& error) {
    return error.what();
  }
  return "locked";
}

}  // namespace

TEST_CASE("a file is locked once, under all its names, and nothing stays") {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("ck", folder.path("link"));
  const std::string path = folder.path("ck");
  for (int i = 0; i < 2; ++i) {
    const FileLock lock(path);
    for (const char* name : {"ck", "./ck", "link"}) {
      CHECK(refusal(folder.path(name)) == "another run is writing " + folder.path(name) +
                                              "; wait until it ends, or give another name");
    }
    CHECK(refusal(folder.path("ck2")) == "locked");
    CHECK(folder.entries() == 2);
  }
  CHECK(folder.entries() == 1);
}

TEST_CASE("a killed process holds no lock") {
  const TemporaryFolder folder;
  const std::string path = folder.path("ck");
  KilledProcess process([&](const auto& stay) {
    const FileLock lock(path);
    stay();
  });
  CHECK(refusal(path).starts_with("another run is writing "));
  process.kill();
  CHECK(folder.entries() == 1);  // the lock's file, which is locked no more
  CHECK(refusal(path) == "locked");
  CHECK(folder.entries() == 0);
}

TEST_CASE("a file that is called like a lock stays") {
  const TemporaryFolder folder;
  folder.write("ck.acevec-lock", "a text");
  CHECK(refusal(folder.path("ck")).ends_with("ck.acevec-lock is a file of its own; move it away"));
  CHECK(folder.read("ck.acevec-lock") == "a text");
}

TEST_CASE("a lock that cannot be made is an error") {
  const TemporaryFolder folder;
  CHECK(refusal(folder.path("none/ck")).find("No such file or directory") != std::string::npos);
}

}  // namespace acevec::file_lock_test
