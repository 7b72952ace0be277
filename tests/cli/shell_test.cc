#include "cli/shell.h"

#include <doctest/doctest.h>

namespace acevec {

TEST_CASE("words are quoted as a shell wants them") {
  CHECK(shell_quoted("a-b/c.txt") == "a-b/c.txt");
  CHECK(shell_quoted("") == "''");
  CHECK(shell_quoted("two words") == "'two words'");
  CHECK(shell_quoted("it's") == "'it'\\''s'");
  CHECK(shell_quoted("$HOME*") == "'$HOME*'");
  CHECK(shell_quoted("żółw") == "'żółw'");
  CHECK(shell_quoted("a\nb") == "$'a\\012b'");
  CHECK(shell_quoted("\xff'\\1") == "$'\\377\\'\\\\1'");
}

}  // namespace acevec
