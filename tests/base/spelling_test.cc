// Tests of base/spelling: distances known by hand, and what counts as near.

#include "base/spelling.h"

#include <doctest/doctest.h>

namespace acevec {

using Words = std::vector<std::string>;

TEST_CASE("edit distances are those of Levenshtein") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("abc", "") == 3);
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("saturday", "sunday") == 3);
  CHECK(edit_distance("train", "trian") == 2);
  CHECK(edit_distance("same", "same") == 0);
}

TEST_CASE("near spellings come nearest first") {
  CHECK(near_spellings("trian", {"size", "train", "iter", "trial"}, 3) == Words{"trial", "train"});
  CHECK(near_spellings("sise", {"side", "size", "since"}, 9) == Words{"side", "size", "since"});
  CHECK(near_spellings("sise", {"side", "size", "since"}, 1) == Words{"side"});
  CHECK(near_spellings("size", {"xize", "size"}, 1) == Words{"size"});
}

TEST_CASE("what shares less than half is not near") {
  CHECK(near_spellings("xyzzy", {"size", "iter", "train"}, 3).empty());
  CHECK(near_spellings("ab", {"ax"}, 3).empty());
  CHECK(near_spellings("abc", {"abx"}, 3) == Words{"abx"});
  CHECK(near_spellings("", {"a"}, 3).empty());
  CHECK(near_spellings("a", {}, 3).empty());
}

}  // namespace acevec
