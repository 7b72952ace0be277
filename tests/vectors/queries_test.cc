// Sums of words: what is a sign and what is a word, and what the sum comes to.

#include "vectors/queries.h"

#include <doctest/doctest.h>

#include <cmath>

#include "vectors/word_vectors.h"

namespace acevec {
namespace {

using Words = std::vector<std::string>;

bool nothing(std::string_view) {
  return false;
}

// The expressions as text, with a bar between each two.
std::string split(const Words& arguments) {
  std::string texts;
  for (const Expression& expression : expressions_of_arguments(arguments, nothing)) {
    texts += (texts.empty() ? "" : "|") + expression.text;
    texts += ":" + std::to_string(expression.terms.size());
  }
  return texts;
}

UnitVectors compass() {
  WordVectors vectors{{"east", "north", "west", "-"}, Matrix(4, 2)};
  const float rows[4][2] = {{2, 0}, {0, 3}, {-1, 0}, {0, -1}};
  for (int64_t i = 0; i < 4; ++i) std::copy_n(rows[i], 2, vectors.vectors.row(i));
  return UnitVectors(std::move(vectors));
}

}  // namespace

TEST_CASE("signs that stand alone join words, and all else is a word") {
  CHECK(split({"king", "-", "man", "+", "woman"}) == "king - man + woman:3");
  CHECK(split({"paris", "king", "-", "man", "berlin"}) == "paris:1|king - man:2|berlin:1");
  CHECK(split({"king - man + woman"}) == "king - man + woman:3");
  CHECK(split({"-"}) == "-:1");
  CHECK(split({"+", "-"}) == "+:1|-:1");
  CHECK(split({"-", "-", "-"}) == "- - -:2");
  CHECK(split({"a", "-", "-", "+", "-b"}) == "a - - + -b:3");
  CHECK(split({"a", "-"}) == "a:1|-:1");
  CHECK(split({"a-b", "+c"}) == "a-b:1|+c:1");
  CHECK(split({"a - b c"}) == "a - b c:1");
  CHECK(split({"new york"}) == "new york:1");
  CHECK(split({}).empty());
  CHECK(expression_of_line("a - b", [](std::string_view word) {
          return word == "a - b";
        }).terms.size() == 1);
  const Expression sum = expression_of_line("  a\t-  b ", nothing);
  CHECK(sum.text == "a - b");
  CHECK(sum.terms[0].sign == 1);
  CHECK(sum.terms[1].sign == -1);
}

TEST_CASE("a sum of words adds vectors of length 1 and has length 1") {
  const UnitVectors vectors = compass();
  std::vector<float> unit(2);
  Words unknown;
  REQUIRE(
      look_up(expression_of_line("east + north - west", nothing), vectors, unit.data(), unknown));
  CHECK(double{unit[0]} == doctest::Approx(2 / std::sqrt(5)));
  CHECK(double{unit[1]} == doctest::Approx(1 / std::sqrt(5)));
  REQUIRE(look_up(expression_of_line("east - -", nothing), vectors, unit.data(), unknown));
  CHECK(double{unit[1]} == doctest::Approx(std::sqrt(0.5)));
  REQUIRE(look_up(expression_of_line("east - east", nothing), vectors, unit.data(), unknown));
  CHECK(unit == std::vector<float>{0, 0});
  CHECK(unknown.empty());
  CHECK_FALSE(
      look_up(expression_of_line("east + up - down", nothing), vectors, unit.data(), unknown));
  CHECK(unknown == Words{"up", "down"});
}

}  // namespace acevec
