// Tables of words without n-grams.

#include "vectors/word_table.h"

#include <doctest/doctest.h>

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

}  // namespace acevec
