// Tests of base/error: messages of any length, on one line.

#include "base/error.h"

#include <doctest/doctest.h>

#include <cerrno>

namespace acevec {

TEST_CASE("format puts values into a pattern") {
  CHECK(format("plain") == "plain");
  CHECK(format("%s has %d of %.2f%%", "it", 3, 1.5) == "it has 3 of 1.50%");
  CHECK(format("%s", "").empty());
  const std::string longer(100000, 'x');
  CHECK(format("<%s>", longer.c_str()) == "<" + longer + ">");
}

TEST_CASE("system messages are those of the system") {
  CHECK(system_message(ENOENT) == "No such file or directory");
  CHECK(system_message(ENOSPC) == "No space left on device");
}

TEST_CASE("one_line shows control characters and nothing else") {
  CHECK(one_line("a\nb\tc\x1b[2J\x7f") == "a\\x0ab\\x09c\\x1b[2J\\x7f");
  CHECK(one_line("ordinary text, caf\xc3\xa9") == "ordinary text, caf\xc3\xa9");
  CHECK(one_line(std::string_view("\0", 1)) == "\\x00");
}

TEST_CASE("a usage error is an error") {
  CHECK_THROWS_WITH_AS(throw UsageError("reason"), "reason", Error);
}

}  // namespace acevec
