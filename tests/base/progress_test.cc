// Tests of base/progress: what is written where there is no terminal, and how numbers look.

#include "base/progress.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "temporary_folder.h"

namespace acevec {
namespace {

// What `body` writes to standard error.
template <class Body>
std::string errors_of(const TemporaryFolder& folder, Body&& body) {
  std::fflush(stderr);
  const int before = dup(STDERR_FILENO);
  const int file = open(folder.path("errors").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(file, STDERR_FILENO);
  body();
  std::fflush(stderr);
  dup2(before, STDERR_FILENO);
  close(file);
  close(before);
  return folder.read("errors");
}

// A terminal in the place of standard error.
class Terminal {
 public:
  Terminal() : own_(posix_openpt(O_RDWR | O_NOCTTY)), before_(dup(STDERR_FILENO)) {
    std::fflush(stderr);
    setenv("TERM", "xterm", 1);
    REQUIRE(grantpt(own_) == 0);
    REQUIRE(unlockpt(own_) == 0);
    const int other = open(ptsname(own_), O_RDWR | O_NOCTTY);
    REQUIRE(dup2(other, STDERR_FILENO) == STDERR_FILENO);
    close(other);
  }
  ~Terminal() {
    std::fflush(stderr);
    dup2(before_, STDERR_FILENO);
    close(before_);
    close(own_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  void resize(int columns) const {
    winsize size{};
    size.ws_col = static_cast<unsigned short>(columns);
    ioctl(own_, TIOCSWINSZ, &size);
  }

  // What was written to it.
  std::string read() const {
    char bytes[1000];
    const ssize_t got = ::read(own_, bytes, sizeof bytes);
    return {bytes, got > 0 ? static_cast<size_t>(got) : 0};
  }

 private:
  int own_, before_;
};

}  // namespace

TEST_CASE("without a terminal progress is plain lines") {
  const TemporaryFolder folder;
  CHECK(errors_of(folder, [] {
          Progress progress(false);
          CHECK_FALSE(progress.due());  // the first line is due after seconds
          progress.show({{"state", 0}, {"of a job", 1}});
          progress.note("note");
        }) == "state  of a job\nnote\n");
}

TEST_CASE("a line is fitted to a width without its least important parts") {
  const std::vector<ProgressPart> parts{
      {"training  12.3%", 0}, {"9 tokens/s", 3}, {"loss 0.5", 2}, {"ETA 1:23", 1}};
  CHECK(fitted(parts, 1000) == "training  12.3%  9 tokens/s  loss 0.5  ETA 1:23");
  CHECK(fitted(parts, 47) == "training  12.3%  9 tokens/s  loss 0.5  ETA 1:23");
  CHECK(fitted(parts, 46) == "training  12.3%  loss 0.5  ETA 1:23");
  CHECK(fitted(parts, 34) == "training  12.3%  ETA 1:23");
  CHECK(fitted(parts, 24) == "training  12.3%");
  CHECK(fitted(parts, 8) == "training");
  CHECK(fitted(parts, 0).empty());
}

TEST_CASE("on a terminal a line follows the width, which may change") {
  const Terminal terminal;
  Progress progress(false);
  const std::string longest(100, 'x');
  const auto shown = [&](int width) {
    terminal.resize(width);
    progress.show({{"state", 0}, {longest, 1}});
    return terminal.read();
  };
  CHECK(shown(40) == "\r\033[Kstate");
  CHECK(shown(200) == "\r\033[Kstate  " + longest);
  CHECK(shown(4) == "\r\033[Ksta");
  setenv("COLUMNS", "200", 1);
  CHECK(shown(0) == "\r\033[Kstate  " + longest);  // a terminal that does not know its width
  setenv("COLUMNS", "many", 1);
  CHECK(shown(0) == "\r\033[Kstate");
  unsetenv("COLUMNS");
}

TEST_CASE("quiet progress says nothing") {
  const TemporaryFolder folder;
  CHECK(errors_of(folder, [] {
          Progress progress(true);
          CHECK_FALSE(progress.due());
          progress.show({{"state", 0}});
          progress.note("note");
        }).empty());
}

TEST_CASE("times read like a clock") {
  CHECK(clock_text(0) == "0:00");
  CHECK(clock_text(0.4) == "0:00");
  CHECK(clock_text(59.6) == "1:00");
  CHECK(clock_text(123) == "2:03");
  CHECK(clock_text(3723) == "1:02:03");
  CHECK(clock_text(360000) == "100:00:00");
  CHECK(clock_text(-5) == "0:00");
  CHECK(clock_text(std::numeric_limits<double>::infinity()) == "?");
  CHECK(clock_text(std::numeric_limits<double>::quiet_NaN()) == "?");
}

TEST_CASE("long numbers are grouped") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1000) == "1,000");
  CHECK(grouped(1234567) == "1,234,567");
  CHECK(grouped(-999) == "-999");
  CHECK(grouped(-123456) == "-123,456");
  CHECK(grouped(std::numeric_limits<int64_t>::max()) == "9,223,372,036,854,775,807");
}

TEST_CASE("a noun agrees with its number") {
  CHECK(counted(0, "line") == "0 lines");
  CHECK(counted(1, "line") == "1 line");
  CHECK(counted(2, "line") == "2 lines");
  CHECK(counted(1234, "distinct word") == "1,234 distinct words");
  CHECK(counted(1, "entity") == "1 entity");
  CHECK(counted(3, "entity") == "3 entities");
}

}  // namespace acevec
