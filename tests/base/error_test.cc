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

TEST_CASE("one_line shows bytes that are no UTF-8, C1 controls and turned lines") {
  CHECK(one_line("caf\xe9") == "caf\\xe9");
  CHECK(one_line("\xc3") == "\\xc3");
  CHECK(one_line("\xc2\x9b"
                 "2J\xc2\xa0") == "\\xc2\\x9b2J\xc2\xa0");
  CHECK(one_line("\xed\xa0\x80") == "\\xed\\xa0\\x80");
  CHECK(one_line("a\xe2\x80\xa8"
                 "b\xe2\x80\xae") ==
        "a\\xe2\\x80\\xa8"
        "b\\xe2\\x80\\xae");
  CHECK(one_line("\xf0\x9f\x91\xa9\xe2\x80\x8d") == "\xf0\x9f\x91\xa9\xe2\x80\x8d");
}

TEST_CASE("an excerpt is the start and the end of a long text, between code points") {
  CHECK(excerpt("short\x1b") == "short\\x1b");
  CHECK(excerpt(std::string(60, 'x')) == std::string(60, 'x'));
  CHECK(excerpt("0123456789", 6) == "0123 ... 89");
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "\xe2\x82\xac";
  for (size_t most = 1; most < 40; ++most) {
    const std::string cut = excerpt(text, most);
    CAPTURE(most);
    CHECK(cut.find('\\') == std::string::npos);
    CHECK(cut.find(" ... ") != std::string::npos);
    CHECK(cut.size() <= most + 5);
  }
  CHECK(excerpt(std::string(100, '\x80'), 12).size() < 70);
}

TEST_CASE("a usage error is an error") {
  CHECK_THROWS_WITH_AS(throw UsageError("reason"), "reason", Error);
}

}  // namespace acevec
