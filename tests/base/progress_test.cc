// Tests of base/progress: what is written where there is no terminal, and how numbers look.

#include "base/progress.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>

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

}  // namespace

TEST_CASE("without a terminal progress is plain lines") {
  const TemporaryFolder folder;
  CHECK(errors_of(folder, [] {
          Progress progress(false);
          CHECK_FALSE(progress.due());  // the first line is due after seconds
          progress.show("state");
          progress.note("note");
        }) == "state\nnote\n");
}

TEST_CASE("quiet progress says nothing") {
  const TemporaryFolder folder;
  CHECK(errors_of(folder, [] {
          Progress progress(true);
          CHECK_FALSE(progress.due());
          progress.show("state");
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
  CHECK(counted(1234, "different word") == "1,234 different words");
  CHECK(counted(1, "entity") == "1 entity");
  CHECK(counted(3, "entity") == "3 entities");
}

TEST_CASE("a timer adds this thread's own time, and without a sum nothing") {
  double sum = 1;
  { const Timer nothing(nullptr); }
  const Stopwatch watch;
  double work = 0;
  {
    const Timer timer(&sum);
    for (int i = 0; i < 100000; ++i) work += std::sqrt(static_cast<double>(i));
  }
  CHECK(work > 0);
  CHECK(sum > 1);
  CHECK(sum - 1 <= watch.seconds() + 0.02);  // the clocks' grains differ
}

}  // namespace acevec
