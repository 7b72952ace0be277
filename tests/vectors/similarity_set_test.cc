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
  const auto [pairs, note] = read_similarity_set(folder.write(
      "s", "Word 1,Word 2,Human\n# note\n\nnew york\tcity\t7.5\nsun, moon , +2,x\na b 1\r\n"));
  CHECK(note.empty());
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

// Words and scores made up, in the layouts of SimLex-999, SimVerb, RG-65, MEN and Multi-SimLex.
TEST_CASE("published sets are read, and the columns that were taken are said") {
  const TemporaryFolder folder;
  const auto read = [&](const std::string& text, const std::string& columns) {
    const auto [pairs, note] = read_similarity_set(folder.write("s", text));
    CAPTURE(text);
    REQUIRE(pairs.size() == 2);
    CHECK(pairs[0].first == "fast");
    CHECK(pairs[0].second == "rapid");
    CHECK(pairs[0].score == 8.5);
    CHECK(pairs[1].second == "house-boat");
    CHECK(note == (columns.empty() ? "" : "note: " + folder.path("s") + ": " + columns));
  };
  read(
      "word1\tword2\tPOS\tSimLex999\tconc(w1)\nfast\trapid\tA\t8.5\t3.3\nsea\thouse-boat\tN\t2\t4."
      "6\n",
      "words in columns 1 and 2, scores in column 4 (\"SimLex999\")");
  read("fast\trapid\tV\t8.5\tSYNONYMS\nsea\thouse-boat\tV\t2\tNONE\n",
       "words in columns 1 and 2, scores in column 4");
  read("fast;rapid;8.5\nsea;house-boat;2\n", "");
  read("fast rapid 8.500000\nsea house-boat 2.000000\n", "");
  read("fast-j rapid-j 8.500000\nsea-n house-boat-n 2.000000\n",
       "words in columns 1 and 2, scores in column 3; left out the parts of speech after words");
  read("ID,Word 1,Word 2,Mean,A1\n1,fast,rapid,8.5,9\n2,sea,house-boat,2,3\n",
       "words in columns 2 and 3, scores in column 4 (\"Mean\")");
  CHECK(read_similarity_set(folder.write("s", "x-n y 1\n")).pairs[0].first == "x-n");
  CHECK_THROWS_WITH_AS(read_similarity_set(folder.write("s", "a\tb\tN\t1\nc\td\t2\n")),
                       doctest::Contains("line 2"), Error);
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
