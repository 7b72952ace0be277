// Lists of paths.

#include "base/paths.h"

#include <doctest/doctest.h>

#include "base/error.h"
#include "temporary_folder.h"

namespace acevec {

TEST_CASE("commas separate paths but in the name of a file that is there") {
  using Paths = std::vector<std::string>;
  CHECK(split_paths("a") == Paths{"a"});
  CHECK(split_paths("a,b/c,-") == Paths{"a", "b/c", "-"});
  for (const char* const typed : {"", ",", "a,", ",a", "a,,b"}) {
    CHECK_THROWS_AS(split_paths(typed), Error);
  }
  const TemporaryFolder folder;
  const std::string odd = folder.write("a,b,", "text");
  CHECK(split_paths(odd) == Paths{odd});
}

}  // namespace acevec
