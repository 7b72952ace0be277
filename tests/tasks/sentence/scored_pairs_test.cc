// Tests of sentence/scored_pairs: both layouts, what is refused, and scores worked out by hand.

#include "tasks/sentence/scored_pairs.h"

#include <doctest/doctest.h>

#include <cmath>

#include "base/error.h"
#include "temporary_folder.h"

namespace acevec {

TEST_CASE("pairs are read in three fields, or in those of the STS benchmark") {
  const TemporaryFolder folder;
  const std::string path = folder.write("sts",
                                        "sentence 1\tsentence 2\tscore\n"
                                        "a b\tc, \"d\"\t2.5\n\n"
                                        "news\tMSRpar\t2012\t7\t0.25\te\t\r\n"
                                        "news\tMSRpar\t2012\t7\t5\tf\tg\tsource\tsource\n");
  const ScoredPairs pairs = read_scored_pairs(path);
  CHECK(pairs.scores == std::vector<double>{2.5, 0.25, 5});
  CHECK(pairs.sentences == std::vector<std::string>{"a b", "c, \"d\"", "e", "", "f", "g"});
  for (const char* const bad :
       {"", "\n\n", "a\tb\tscore\n", "a\tb\t1\na\tb\n", "a\tb\t1\na\tb\tnan\n",
        "a\tb\t1\na\tb\tx\n", "a\tb\t1\n1\t2\t3\t4\tx\ta\tb\n", "a\tb\t1\n1\t2\t3\t4\n"}) {
    CHECK_THROWS_AS(read_scored_pairs(folder.write("bad", bad)), Error);
  }
}

TEST_CASE("a model's score is the correlation of its cosines with the human scores") {
  // Cosines 1, 0, −1 and, beside zeros, 0.
  Matrix vectors(8, 2);
  const float rows[8][2] = {{2, 0}, {3, 0}, {1, 0}, {0, 5}, {1, 1}, {-2, -2}, {1, 0}, {0, 0}};
  for (int64_t i = 0; i < 8; ++i) {
    for (int64_t k = 0; k < 2; ++k) vectors.row(i)[k] = rows[i][k];
  }
  const PairScore score = score_pairs({{}, {5, 1, 0, 2}}, vectors);
  CHECK(score.pairs == 4);
  // Centred scores 3 −1 −2 0: products 5, squares 14 and 2.
  CHECK(score.pearson == doctest::Approx(100 * 5 / std::sqrt(28)));
  // Centred ranks 1.5 0 −1.5 0 and 1.5 −0.5 −1.5 0.5: products 4.5, squares 4.5 and 5.
  CHECK(score.spearman == doctest::Approx(100 * 4.5 / std::sqrt(22.5)));
}

}  // namespace acevec
