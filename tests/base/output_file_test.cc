// Tests of base/output_file: the target changes in commit(), whole, or never.
// A file that grows has every line at once, and loses nothing that was there before.

#include "base/output_file.h"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "refusal.h"
#include "temporary_folder.h"

namespace {

// What fsync() was called for while a test watches, and what it says for folders then.
struct SyncWatch {
  bool on = false;
  int folder_error = 0;  // errno; 0: none
  std::vector<std::string> log{};
  std::string target{};  // the file that is renamed
};
SyncWatch sync_watch;

}  // namespace

// In place of the C library's.
extern "C" int fsync(int descriptor) {
  if (sync_watch.on) {
    struct stat status {};
    fstat(descriptor, &status);
    const bool renamed = std::filesystem::exists(sync_watch.target);
    sync_watch.log.push_back(std::string(S_ISDIR(status.st_mode) ? "folder" : "file") +
                             (renamed ? " after renaming" : " before renaming"));
    if (S_ISDIR(status.st_mode) && sync_watch.folder_error != 0) {
      errno = sync_watch.folder_error;
      return -1;
    }
  }
  return static_cast<int>(syscall(SYS_fsync, descriptor));
}

namespace acevec::output_file_test {
namespace {

mode_t mode_of(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
}

std::string refusal(const std::string& path) {
  return refusal_of([&] { OutputFile file(path); });
}

// For as long as it lives, no file may grow beyond `bytes`, as when the disk is full.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

}  // namespace

TEST_CASE("an output file appears when it is committed") {
  const TemporaryFolder folder;
  OutputFile file(folder.path("out"));
  file.write("some ");
  file.write("bytes");
  CHECK_FALSE(std::filesystem::exists(folder.path("out")));
  file.commit();
  CHECK(folder.read("out") == "some bytes");
  CHECK(folder.entries() == 1);
}

TEST_CASE("the file is synced before it is renamed, and its folder afterwards") {
  // What a disk cannot do is an error; what a file system does not offer is none.
  for (const int error_number : {0, EINVAL, ENOTSUP, EBADF, EROFS, EIO}) {
    CAPTURE(error_number);
    const TemporaryFolder folder;
    const std::string path = folder.path("out");
    OutputFile file(path);
    file.write("bytes");
    sync_watch = {.on = true, .folder_error = error_number, .log = {}, .target = path};
    if (error_number == EIO) {
      CHECK_THROWS_AS(file.commit(), Error);
    } else {
      CHECK_NOTHROW(file.commit());
    }
    sync_watch.on = false;
    CHECK(sync_watch.log ==
          std::vector<std::string>{"file before renaming", "folder after renaming"});
    CHECK(folder.read("out") == "bytes");
    CHECK(folder.entries() == 1);
  }
}

TEST_CASE("of two that write one file the second is refused, until the first is done") {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("out", folder.path("link"));
  OutputFile first(folder.path("out"));
  for (const char* const name : {"out", "link"}) {
    CHECK_THROWS_WITH_AS(OutputFile(folder.path(name)), doctest::Contains("another run is writing"),
                         Error);
  }
  first.commit();
  CHECK_NOTHROW(OutputFile(folder.path("out")));
}

TEST_CASE("links that lead in a ring are no output") {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("b", folder.path("a"));
  std::filesystem::create_symlink("a", folder.path("b"));
  CHECK_THROWS_WITH_AS(OutputFile(folder.path("a")), doctest::Contains("cannot write"), Error);
  CHECK(folder.entries() == 2);
}

TEST_CASE("an old file stays until the new one is committed") {
  const TemporaryFolder folder;
  folder.write("out", "old");
  {
    OutputFile file(folder.path("out"));
    file.write(std::string(3 << 20, 'x'));  // more than any buffer holds
    CHECK(folder.read("out") == "old");
  }
  CHECK(folder.read("out") == "old");
  CHECK(folder.entries() == 1);
}

TEST_CASE("many pieces come out in order") {
  const TemporaryFolder folder;
  std::string expected;
  OutputFile file(folder.path("out"));
  for (int i = 0; i < 200000; ++i) {
    const std::string piece = std::to_string(i) + '\n';
    file.write(piece);
    expected += piece;
  }
  file.write(std::string(2 << 20, 'x'));
  file.commit();
  CHECK(folder.read("out") == expected + std::string(2 << 20, 'x'));
}

TEST_CASE("the start of a file can be written again") {
  const TemporaryFolder folder;
  for (const size_t size : {10, 3 << 20}) {
    OutputFile file(folder.path("out"));
    REQUIRE(file.can_rewrite());
    file.write("head?");
    file.write(std::string(size, 'x'));
    file.rewrite_start("HEAD!");
    file.write("end");
    file.commit();
    CHECK(folder.read("out") == "HEAD!" + std::string(size, 'x') + "end");
  }
  CHECK_FALSE(OutputFile("/dev/null").can_rewrite());
}

TEST_CASE("a path that cannot be written is refused at once") {
  const TemporaryFolder folder;
  const std::string path = folder.path("none/out");
  CHECK(refusal(path) ==
        "cannot write " + path + ": No such file or directory; check the path and its permissions");
  CHECK(refusal(folder.path("")).ends_with("it is a directory; give a file's name"));
  folder.write("file", "");
  CHECK(refusal(folder.path("file/out")).find("Not a directory") != std::string::npos);
  CHECK(refusal(folder.path(std::string(300, 'x'))).find("File name too long") !=
        std::string::npos);
  CHECK(folder.entries() == 1);
}

TEST_CASE("a full disk is an error and leaves the old file") {
  const TemporaryFolder folder;
  folder.write("out", "old");
  {
    const FileSizeLimit limit(1 << 20);
    OutputFile file(folder.path("out"));
    CHECK_THROWS_AS(
        [&] {
          file.write(std::string(2 << 20, 'x'));
          file.commit();
        }(),
        Error);
  }
  CHECK(folder.read("out") == "old");
  CHECK(folder.entries() == 1);

  OutputFile full("/dev/full");
  full.write("x");
  CHECK_THROWS_WITH_AS(full.commit(),
                       "cannot write /dev/full: No space left on device; free some space or write "
                       "elsewhere",
                       Error);
}

TEST_CASE("links are followed") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path("sub"));
  folder.write("sub/old", "old");
  std::filesystem::create_symlink("sub/old", folder.path("link"));
  std::filesystem::create_symlink("link", folder.path("link-to-link"));
  std::filesystem::create_symlink(folder.path("sub/new"), folder.path("dangling"));
  for (const char* name : {"link-to-link", "dangling"}) {
    OutputFile file(folder.path(name));
    file.write("new");
    file.commit();
    CHECK(std::filesystem::is_symlink(folder.path(name)));
  }
  CHECK(std::filesystem::is_symlink(folder.path("link")));
  CHECK(folder.read("sub/old") == "new");
  CHECK(folder.read("sub/new") == "new");
}

TEST_CASE("a file keeps its mode and a new one has that of the umask") {
  const TemporaryFolder folder;
  folder.write("old", "");
  std::filesystem::permissions(folder.path("old"), std::filesystem::perms{0604});
  const mode_t before = umask(027);
  for (const char* name : {"old", "new"}) OutputFile(folder.path(name)).commit();
  umask(before);
  CHECK(mode_of(folder.path("old")) == 0604);
  CHECK(mode_of(folder.path("new")) == 0640);
}

TEST_CASE("a pipe is written to and not replaced") {
  const TemporaryFolder folder;
  REQUIRE(mkfifo(folder.path("pipe").c_str(), 0600) == 0);
  std::string got;
  std::thread reader([&] { got = folder.read("pipe"); });
  OutputFile file(folder.path("pipe"));
  file.write("through the pipe");
  file.commit();
  reader.join();
  CHECK(got == "through the pipe");
  CHECK(std::filesystem::is_fifo(folder.path("pipe")));
}

}  // namespace acevec::output_file_test

namespace acevec {

TEST_CASE("a line can be read as soon as it is written") {
  const TemporaryFolder folder;
  LineFile file(folder.path("log"));
  CHECK(folder.read("log").empty());
  file.write("one");
  CHECK(folder.read("log") == "one\n");
  file.write("");
  file.write("three");
  CHECK(folder.read("log") == "one\n\nthree\n");
}

TEST_CASE("a file that holds something is refused and stays, an empty one is used") {
  const TemporaryFolder folder;
  const std::string full = folder.write("full", "x");
  CHECK_THROWS_WITH_AS(LineFile{full}, doctest::Contains("already exists"), Error);
  CHECK(folder.read("full") == "x");
  const std::string empty = folder.write("empty", "");
  { LineFile unused(empty); }
  CHECK(folder.entries() == 2);
  { LineFile(empty).write("line"); }
  CHECK(folder.read("empty") == "line\n");
}

TEST_CASE("a file made for nothing goes away") {
  const TemporaryFolder folder;
  { LineFile unused(folder.path("log")); }
  CHECK(folder.entries() == 0);
  { LineFile(folder.path("log")).write("line"); }
  CHECK(folder.entries() == 1);
}

TEST_CASE("a line that cannot be written is an error") {
  const TemporaryFolder folder;
  CHECK_THROWS_WITH_AS(LineFile(folder.path("none/log")), doctest::Contains("cannot write"), Error);
  LineFile full("/dev/full");
  CHECK_THROWS_WITH_AS(full.write("line"), doctest::Contains("free some space"), Error);
}

TEST_CASE("a file of the same kind is continued from where it is cut") {
  const TemporaryFolder folder;
  const std::string path = folder.write("log", "names\n1 a\n2 b\n3 c\n4 unfinish");
  CHECK_THROWS_AS(LineFile(path, "other names"), Error);
  CHECK_THROWS_AS(LineFile{path}, Error);
  {
    LineFile file(path, "names");
    CHECK(!file.empty());
    file.cut([](std::string_view line) { return line < "3" || line == "names"; });
    file.write("5 d");
  }
  CHECK(folder.read("log") == "names\n1 a\n2 b\n5 d\n");
  {
    LineFile file(folder.write("unfinished", "names\n1 a\n2"), "names");
    file.cut([](std::string_view) { return true; });
  }
  CHECK(folder.read("unfinished") == "names\n1 a\n");
  LineFile fresh(folder.path("fresh"), "names");
  CHECK(fresh.empty());
}

}  // namespace acevec
