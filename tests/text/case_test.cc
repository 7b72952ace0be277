// Upper and lower case beyond ASCII.

#include "text/case.h"

#include <doctest/doctest.h>

namespace acevec {

TEST_CASE("words that differ only in case fold to the same") {
  CHECK(fold_case("Paris") == fold_case("PARIS"));
  CHECK(fold_case("STRASSE") == fold_case("straße"));
  CHECK(fold_case("ΌΔΟΣ") == fold_case("όδος"));  // a sigma at the end of a word
  CHECK(fold_case("Жук") == fold_case("ЖУК"));
  CHECK(fold_case("日本") == "日本");
  CHECK(fold_case("café") != fold_case("cafe"));
  CHECK(fold_case("").empty());
  CHECK(fold_case("A\xff") == "A\xff");
}

TEST_CASE("lower case is letter by letter") {
  CHECK(lower_case("ÀB-c9ẞ") == "àb-c9ß");
  CHECK(lower_case("A\xc3") == "A\xc3");
}

}  // namespace acevec
