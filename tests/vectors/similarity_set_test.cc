// Similarity sets: what is read, and scores placed by hand.

#include "vectors/similarity_set.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "temporary_folder.h"

namespace acevec {

TEST_CASE("pairs are read with tabs, commas or blanks, and other lines are refused by number") {
  const TemporaryFolder folder;
  const auto pairs = read_similarity_set(folder.write(
      "s", "Word 1,Word 2,Human\n# note\n\nnew york\tcity\t7.5\nsun, moon , +2,x\na b 1\r\n"));
  REQUIRE(pairs.size() == 3);
  CHECK(pairs[0].first == "new york");
  CHECK(pairs[1].second == "moon");
  CHECK(pairs[1].score == 2);
  CHECK(pairs[2].score == 1);
  CHECK_THROWS_WITH_AS(read_similarity_set(folder.write("s", "a b 1\nc d e\n")),
                       doctest::Contains("line 2"), Error);
  CHECK_THROWS_WITH_AS(read_similarity_set(folder.write("s", "a b\n")), doctest::Contains("line 1"),
                       Error);
  CHECK_THROWS_AS(read_similarity_set(folder.write("s", "# none\n")), Error);
}

TEST_CASE("covered pairs are ranked by their cosines, and a missing word counts as a null vector") {
  WordVectors data{{"east", "northeast", "north", "West"}, Matrix(4, 2)};
  const float rows[][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 0}};
  for (int64_t i = 0; i < 4; ++i) std::copy_n(rows[i], 2, data.vectors.row(i));
  const UnitVectors vectors(std::move(data));
  const WordClasses folded(vectors.words());
  const auto score = score_similarity(
      {{"EAST", "northeast", 9}, {"east", "north", 5}, {"east", "west", 1}}, vectors, folded);
  CHECK(score.pairs == 3);
  CHECK(score.covered == 3);
  CHECK(score.rho_covered == doctest::Approx(100));
  const auto missing = score_similarity(
      {{"east", "northeast", 9}, {"east", "none", 5}, {"east", "west", 1}}, vectors, folded);
  CHECK(missing.covered == 2);
  CHECK(missing.rho_all == doctest::Approx(100));
  CHECK(std::isnan(score_similarity({{"none", "east", 1}}, vectors, folded).rho_covered));
}

}  // namespace acevec
