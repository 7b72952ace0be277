// Training from given vectors: what it starts from, and what it must not touch.

#include "tasks/word/model.h"

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

#include "base/error.h"
#include "temporary_folder.h"

namespace acevec {

TEST_CASE("known words move to their rows, the others stay as they were, in order") {
  const TemporaryFolder folder;
  const std::string words =
      folder.write("v", "u1 0.1 1e-45\nb 5 6\nu2 -0 3\na 7 8\nu3 9 3.4028235e38\n");
  const std::string contexts = folder.write("c", "2 2\nb 1 2\nu9 3 4\n");
  const Vocabulary vocabulary({{"a", 3}, {"b", 2}, {"new", 1}}, 1, 0);
  SkipGramModel model(3, 2, OptimizerKind::kSgd, 1);
  const SkipGramModel usual(3, 2, OptimizerKind::kSgd, 1);
  InitialVectors initial = read_initial_vectors(words, contexts, 0);
  CHECK(start_from(initial, vocabulary, model).size() == 2);
  const auto row = [](const Matrix& matrix, int64_t i) {
    return std::vector<float>(matrix.row(i), matrix.row(i) + 2);
  };
  CHECK(row(model.words, 0) == std::vector<float>{7, 8});
  CHECK(row(model.words, 1) == std::vector<float>{5, 6});
  CHECK(row(model.words, 2) == row(usual.words, 2));
  CHECK(row(model.contexts, 0) == std::vector<float>{0, 0});
  CHECK(row(model.contexts, 1) == std::vector<float>{1, 2});
  CHECK(initial.contexts->words == std::vector<std::string>{"u9"});
  REQUIRE(initial.words->words == std::vector<std::string>{"u1", "u2", "u3"});
  REQUIRE(initial.words->vectors.rows() == 3);
  const std::vector<float> kept{0.1F, 1e-45F, -0.0F, 3, 9, 3.4028235e38F};
  for (int64_t i = 0; i < 3; ++i) {
    CHECK(std::memcmp(initial.words->vectors.row(i), &kept[static_cast<size_t>(2 * i)],
                      2 * sizeof(float)) == 0);
  }
}

TEST_CASE("no file, nothing to start from") {
  InitialVectors none = read_initial_vectors("", "", 2);
  SkipGramModel model(1, 2, OptimizerKind::kSgd, 1);
  CHECK(start_from(none, Vocabulary({{"a", 1}}, 1, 0), model).empty());
  CHECK(model.words.row(0)[0] == SkipGramModel(1, 2, OptimizerKind::kSgd, 1).words.row(0)[0]);
  CHECK_FALSE(none.words);
}

TEST_CASE("of a word that a file has twice the first row counts, and a note says so") {
  const TemporaryFolder folder;
  const auto read = read_initial_vectors(folder.write("twice", "a 1 2\nb 3 4\na 5 6\n"), "", 0);
  CHECK(read.words->words == std::vector<std::string>{"a", "b"});
  CHECK(read.words->vectors.row(0)[0] == 1);
  CHECK(read.words->note.find("left out 1 row of repeated words") != std::string::npos);
}

TEST_CASE("files that do not fit are refused") {
  const TemporaryFolder folder;
  const std::string two = folder.write("two", "a 1 2\nb 3 4\n");
  const std::string three = folder.write("three", "a 1 2 3\n");
  CHECK_NOTHROW(read_initial_vectors(two, "", 2));
  CHECK_THROWS_WITH_AS(read_initial_vectors(two, "", 3), doctest::Contains("vectors of size 2"),
                       Error);
  CHECK_THROWS_WITH_AS(read_initial_vectors(two, three, 0),
                       doctest::Contains("three has vectors of size 3"), Error);
}

}  // namespace acevec
