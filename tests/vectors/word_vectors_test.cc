// Look-up of words, of vectors of length 1 (those of a file and those that n-grams compose), and of
// words that differ only in case.

#include "vectors/word_vectors.h"

#include <doctest/doctest.h>

#include <memory>
#include <utility>

namespace acevec {

TEST_CASE("a word that is there twice has its first row, and an unknown one none") {
  WordVectors vectors{{"a", "b", "a"}, Matrix(3, 2)};
  for (int64_t i = 0; i < 3; ++i) vectors.vectors.row(i)[1] = static_cast<float>(i + 1);
  const WordTable table(std::move(vectors));
  CHECK(table.find("a") == 0);
  CHECK(table.find("b") == 1);
  CHECK(table.find("A") == -1);
  float vector[2] = {9, 9};
  CHECK_FALSE(table.look_up("c", vector));
  REQUIRE(table.look_up("b", vector));
  CHECK(vector[0] == 0);
  CHECK(vector[1] == 2);
}

TEST_CASE("rows and composed vectors have length 1, and zeros stay zeros") {
  const SubwordShape shape{1, 1, 1};  // every n-gram has the one row
  Matrix ngrams(1, 2);
  ngrams.row(0)[0] = -5;
  WordVectors vectors{
      {"a", "b", "a"}, Matrix(3, 2), std::make_shared<const SubwordRows>(shape, std::move(ngrams))};
  vectors.vectors.row(0)[0] = 3;
  vectors.vectors.row(0)[1] = 4;
  vectors.vectors.row(2)[1] = 7;
  const UnitVectors unit(std::move(vectors));
  CHECK(unit.find("a") == 0);  // the first of two
  CHECK(unit.find("c") == -1);
  float vector[2];
  REQUIRE(unit.look_up("a", vector));
  CHECK(vector[0] == doctest::Approx(0.6));
  CHECK(vector[1] == doctest::Approx(0.8));
  REQUIRE(unit.look_up("b", vector));
  CHECK(vector[0] == 0);
  CHECK(unit.rows().row(2)[1] == 1);
  REQUIRE(unit.look_up("c", vector));
  CHECK(vector[0] == -1);
  CHECK(vector[1] == 0);
  CHECK_FALSE(unit.look_up("c d", vector));  // blanks are in no word
}

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
