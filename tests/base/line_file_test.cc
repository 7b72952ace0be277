// Files that grow: every line is there at once, and nothing that was there before is lost.

#include "base/line_file.h"

#include <doctest/doctest.h>

#include "base/error.h"
#include "temporary_folder.h"

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
