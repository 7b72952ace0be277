// Answers to sums of words, computed by hand.

#include "vectors/sum_answers.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace acevec {
namespace {

bool nothing(std::string_view) {
  return false;
}

UnitVectors compass() {
  WordVectors vectors{{"east", "north", "west", "northeast", "zero", "-", "-ly", "East"},
                      Matrix(8, 2)};
  const float rows[8][2] = {{2, 0}, {0, 3}, {-1, 0}, {1, 1}, {0, 0}, {0, -1}, {1, 2}, {9, 0.1F}};
  for (int64_t i = 0; i < 8; ++i) std::copy_n(rows[i], 2, vectors.vectors.row(i));
  return UnitVectors(std::move(vectors));
}

}  // namespace

TEST_CASE("answers to sums are those of plain arithmetic, without the words themselves") {
  const UnitVectors vectors = compass();
  const WordClasses folded(vectors.words());
  std::vector<std::string> unknown;
  const SumAnswers answers =
      answer_sum(expression_of_line("east + north - west", nothing), vectors, folded, 3, unknown);
  REQUIRE(answers.added.size() == 3);
  CHECK(vectors.words()[static_cast<size_t>(answers.added[0].id)] == "northeast");
  CHECK(answers.added[0].score == doctest::Approx(3 * std::sqrt(0.5)));
  CHECK(vectors.words()[static_cast<size_t>(answers.added[1].id)] == "-ly");
  const double half = (1 + std::sqrt(0.5)) / 2;
  REQUIRE(answers.multiplied.size() == 3);
  CHECK(answers.multiplied[0].score ==
        doctest::Approx(half * half / ((1 - std::sqrt(0.5)) / 2 + 0.001)));
  for (const ScoredRow& answer : answers.added) CHECK(answer.id != 7);  // East counts as east
  CHECK(answer_sum(expression_of_line("west - east", nothing), vectors, folded, 99, unknown)
            .added.size() == 5);
  CHECK(answer_sum(expression_of_line("up - east", nothing), vectors, folded, 99, unknown)
            .added.empty());
  CHECK(unknown == std::vector<std::string>{"up"});
}

}  // namespace acevec
