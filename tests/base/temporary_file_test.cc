// Tests of base/temporary_file: what a killed process leaves is removed by the next one with the
// same target, and nothing else is.
// A lock has one holder at a time, and none that is dead. A scratch file gives its bytes back.

#include "base/temporary_file.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/output_file.h"
#include "killed_process.h"
#include "refusal.h"
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

namespace acevec::file_lock_test {
namespace {

std::string refusal(const std::string& path) {
  return refusal_of([&] { const FileLock lock(path); });
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
    CHECK(refusal(folder.path("ck2")) == "accepted");
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
  CHECK(refusal(path) == "accepted");
  CHECK(folder.entries() == 0);
}

TEST_CASE("a file that is called like a lock stays") {
  const TemporaryFolder folder;
  folder.write("ck.acevec-lock", "a text");
  CHECK(refusal(folder.path("ck")).ends_with("ck.acevec-lock is not a lock file; move it away"));
  CHECK(folder.read("ck.acevec-lock") == "a text");
}

TEST_CASE("a lock that cannot be made is an error") {
  const TemporaryFolder folder;
  CHECK(refusal(folder.path("none/ck")).find("No such file or directory") != std::string::npos);
}

}  // namespace acevec::file_lock_test

namespace acevec {

TEST_CASE("a scratch file gives back what was written, wherever it is") {
  ScratchFile file("a test", "little");
  constexpr int64_t kFar = (int64_t{1} << 33) + 7;  // a hole, which takes no room on the disk
  file.write("far", 3, kFar);
  file.write("near", 4, 2);
  std::string bytes(4, ' ');
  file.read(bytes.data(), 4, 2);
  CHECK(bytes == "near");
  file.read(bytes.data(), 3, kFar);
  CHECK(bytes == "farr");
}

TEST_CASE("reading beyond the end of a scratch file is an error") {
  ScratchFile file("a test", "little");
  file.write("abc", 3, 0);
  std::string bytes(4, ' ');
  CHECK_THROWS_WITH_AS(file.read(bytes.data(), 4, 0),
                       "cannot read the temporary file with a test back: it is truncated; check "
                       "the disk, or set TMPDIR",
                       Error);
}

TEST_CASE("a scratch file has no name and room for data") {
  const TemporaryFolder folder;
  const char* set = getenv("TMPDIR");
  const std::optional<std::string> before = set ? std::optional<std::string>(set) : std::nullopt;

  setenv("TMPDIR", folder.path("").c_str(), 1);
  ScratchFile file("a test", "no room");
  CHECK(folder.entries() == 0);
  file.write("data", 4, 0);
  char data[4]{};
  file.read(data, 4, 0);
  CHECK(std::string(data, 4) == "data");

  setenv("TMPDIR", folder.path("none").c_str(), 1);
  const std::string reason = "cannot make a temporary file for a test in " + folder.path("none") +
                             ": No such file or directory; set TMPDIR to a folder with free space";
  CHECK_THROWS_WITH_AS(ScratchFile("a test", "no room"), reason.c_str(), Error);

  before ? setenv("TMPDIR", before->c_str(), 1) : unsetenv("TMPDIR");
}

}  // namespace acevec
