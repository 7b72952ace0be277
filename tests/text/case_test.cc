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
  CHECK(lower_case("ΑΘΗΝΑΣ") == "αθηνας");
  CHECK(lower_case("Σ") == "σ");
}

TEST_CASE("spellings that look the same become one") {
  CHECK(composed("cafe\u0301") == "caf\u00e9");
  CHECK(composed("\u212b \u00e9") == "\u00c5 \u00e9");
  CHECK(one_spelling("αθηνασ") == "αθηνας");
  CHECK(one_spelling("ςςς") == "σσς");
  CHECK(one_spelling("3ς") == "3σ");
  CHECK(composed("").empty());
}

}  // namespace acevec
