// Bytes are seen before they are taken, across the steps in which a file is read.

#include "text/look_ahead.h"

#include <doctest/doctest.h>

#include "temporary_folder.h"

namespace acevec {

TEST_CASE("what was peeked at comes again until it is skipped") {
  const TemporaryFolder folder;
  const std::string text = std::string(70000, 'a') + "|" + std::string(70000, 'b');
  LookAhead input(folder.write("x", text));
  CHECK(input.peek(3).starts_with("aaa"));
  CHECK_FALSE(input.peek_until('|', 70000));  // it is one byte farther
  REQUIRE(input.peek_until('|', 70001));
  CHECK(input.peek_until('|', 70001)->size() == 70000);
  CHECK(input.ready_until('|', 70001));
  input.skip(70001);
  REQUIRE(input.peek_until('|', 1 << 20));  // there is none: up to the end
  CHECK(*input.peek_until('|', 1 << 20) == std::string(70000, 'b'));
  CHECK_FALSE(input.at_end());
  input.skip(70000);
  CHECK(input.at_end());
}

}  // namespace acevec
