// Words that differ only in case count as one.

#include "vectors/word_classes.h"

#include <doctest/doctest.h>

namespace acevec {

TEST_CASE("a class of words is known by its first row, however a word is written") {
  const WordClasses classes({"Paris", "größe", "PARIS", "GRÖSSE", "Größe", "paris"});
  CHECK(classes.find("pArIs") == 0);
  CHECK(classes.find("GRÖßE") == 1);
  CHECK(classes.find("pari") == -1);
  CHECK(classes.first(0) == 0);
  CHECK(classes.first(2) == 0);
  CHECK(classes.first(4) == 1);
  CHECK(classes.first(5) == 0);
}

}  // namespace acevec
