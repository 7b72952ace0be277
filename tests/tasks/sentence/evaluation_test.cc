// BM25, the measures of rankings and correlations worked out by hand, and which files are refused.

#include "tasks/sentence/evaluation.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "tasks/sentence/toy_pairs.h"
#include "temporary_folder.h"

namespace acevec::sentence_evaluation_test {
namespace {

std::vector<ScoredRow> ranking_of(const std::vector<int64_t>& ids) {
  std::vector<ScoredRow> ranking;
  for (const int64_t id : ids) ranking.push_back({id, -static_cast<double>(ranking.size())});
  return ranking;
}

Matrix random_rows(int64_t rows, uint64_t seed) {
  Random random(seed);
  Matrix matrix(rows, 7);
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t k = 0; k < 7; ++k) matrix.row(i)[k] = 2 * random.uniform() - 1;
  }
  return matrix;
}

double cosine(const float* a, const float* b) {
  double dot = 0, aa = 0, bb = 0;
  for (int k = 0; k < 7; ++k) {
    dot += static_cast<double>(a[k] * b[k]);
    aa += static_cast<double>(a[k] * a[k]);
    bb += static_cast<double>(b[k] * b[k]);
  }
  return dot / std::sqrt(aa * bb);
}

Collection read(const std::string& texts, const std::string& queries, const std::string& qrels) {
  const PairFile a("docs", texts), b("queries", queries), c("qrels", qrels);
  return read_collection(a.path, b.path, c.path);
}

constexpr char kTexts[] = "d1\tone text\nd2\t\nd3\tthree\ttabs\n";
constexpr char kQueries[] = "q1\tone\nq2\ttwo\n";

}  // namespace

TEST_CASE("scores are BM25's, as parts of the best of the query") {
  const std::vector<std::string> texts{"A cat, a cat", "dog", "a dog and more"};  // 5, 1, 4 tokens
  const WordMatches matches({"cat a unseen", "nothing", "dog dog"}, texts, TokenMode::kWords);
  const auto weight = [](double n) { return std::log(1 + (3 - n + 0.5) / (n + 0.5)); };
  const auto score = [&](double n, double count, double length) {
    return weight(n) * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * length / (10.0 / 3)));
  };
  const double first = score(1, 2, 5) + score(2, 2, 5), third = score(2, 1, 4);
  std::vector<float> scores{1, 1, 1};
  matches.add(0, 0.5, scores.data());
  CHECK(static_cast<double>(scores[0]) == doctest::Approx(1.5));
  CHECK(static_cast<double>(scores[1]) == doctest::Approx(1));
  CHECK(static_cast<double>(scores[2]) == doctest::Approx(1 + 0.5 * third / first));
  matches.add(1, 0.5, scores.data());
  CHECK(static_cast<double>(scores[1]) == doctest::Approx(1));
  matches.add(2, 1, scores.data());
  CHECK(static_cast<double>(scores[1]) == doctest::Approx(2));
}

TEST_CASE("the measures are those of the textbook") {
  std::vector<int64_t> late{9, 8, 7, 6, 5, 4, 3, 2, 1, 10, 0};  // 0 comes eleventh
  const RankingScores scores =
      score_rankings({ranking_of({3, 1, 2}), ranking_of(late), ranking_of({5}), ranking_of({1})},
                     {{{1, 1.0}, {2, 3.0}, {7, 1.0}}, {{0, 1.0}}, {{5, 2.0}}, {}});
  CHECK(scores.queries == 3);  // the last has nothing relevant
  CHECK(scores.mrr10 == doctest::Approx(100 * (0.5 + 0 + 1) / 3));
  CHECK(scores.recall10 == doctest::Approx(100 * (2.0 / 3 + 0 + 1) / 3));
  CHECK(scores.recall100 == doctest::Approx(100 * (2.0 / 3 + 1 + 1) / 3));
  const double gain = 1 / std::log2(3) + 3 / std::log2(4);
  const double ideal = 3 + 1 / std::log2(3) + 1 / std::log2(4);
  CHECK(scores.ndcg10 == doctest::Approx(100 * (gain / ideal + 0 + 1) / 3));
  CHECK(score_rankings({}, {}).queries == 0);
}

TEST_CASE("rankings are exact with any number of threads") {
  for (const int threads : {1, 3, 16}) {
    Matrix queries = random_rows(37, 1), texts = random_rows(250, 2);
    const Matrix before = random_rows(250, 2), asked = random_rows(37, 1);
    const auto rankings = rank_rows(queries, texts, nullptr, 0, threads);
    REQUIRE(rankings.size() == 37);
    for (int64_t q = 0; q < 37; ++q) {
      std::vector<std::pair<double, int64_t>> plain;
      for (int64_t i = 0; i < 250; ++i) plain.push_back({-cosine(asked.row(q), before.row(i)), i});
      std::sort(plain.begin(), plain.end());
      const auto& ranking = rankings[static_cast<size_t>(q)];
      REQUIRE(ranking.size() == 100);
      for (size_t i = 0; i < 100; ++i) {
        CHECK(ranking[i].id == plain[i].second);
        CHECK(ranking[i].score == doctest::Approx(-plain[i].first).epsilon(1e-5));
      }
    }
  }
}

TEST_CASE("judgements come as TREC, BEIR and others write them") {
  for (const char* const qrels :
       {"q1\td3\t2\nq1\td1\t0\nq9\td1\t1\nq2\td2\t1\n",
        "query-id\tcorpus-id\tscore\nq1\td3\t2\nq1\td9\t1\nq2\td2\t1\n",
        "q1 0 d3 2\nq1 0 d2 -1\nq2 0 d2 1\n", "q1\t0\td3\t2\nq2\t0\td2\t1\n"}) {
    CAPTURE(qrels);
    const Collection all = read(kTexts, kQueries, qrels);
    CHECK(all.texts.size() == 3);
    CHECK(all.texts[2] == "three\ttabs");
    REQUIRE(all.judged.size() == 2);
    CHECK(all.judged[0] == Judged{{2, 2.0}});
    CHECK(all.judged[1] == Judged{{1, 1.0}});
  }
}

TEST_CASE("a repeated judgement counts once") {
  const Collection all = read(
      kTexts, kQueries, "q1\td3\t2\nq1\td1\t1\nq1\td3\t2.0\nq2\td3\t1\nq2\td1\t0\nq2\td1\t0\n");
  CHECK(all.judged[0] == Judged{{2, 2.0}, {0, 1.0}});
  CHECK(all.judged[1] == Judged{{2, 1.0}});
  const RankingScores scores = score_rankings({ranking_of({2, 0}), ranking_of({2})}, all.judged);
  CHECK(scores.recall10 == doctest::Approx(100));
  CHECK(scores.ndcg10 == doctest::Approx(100));
  CHECK_THROWS_WITH_AS(read(kTexts, kQueries, "q1\td3\t2\nq2\td3\t1\nq1\td3\t1\n"),
                       doctest::Contains("line 3 gives \"d3\" a second grade for \"q1\""), Error);
  CHECK_THROWS_AS(read(kTexts, kQueries, "q1\td3\t0\nq1\td3\t1\n"), Error);
}

TEST_CASE("equal sides of pairs are one query or one text") {
  const PairFile file("collection", "a\tx\nb\ty\na\ty\na\tx\n");
  const Collection all = read_pair_collection({file.path});
  CHECK(all.queries == std::vector<std::string>{"a", "b"});
  CHECK(all.texts == std::vector<std::string>{"x", "y"});
  CHECK(all.judged == std::vector<Judged>{{{0, 1.0}, {1, 1.0}}, {{1, 1.0}}});
}

TEST_CASE("what is none of these is refused") {
  CHECK_THROWS_AS(read("no tab\n", kQueries, "q1\td1\t1\n"), Error);
  CHECK_THROWS_AS(read("d1\ta\nd1\tb\n", kQueries, "q1\td1\t1\n"), Error);
  CHECK_THROWS_AS(read("", kQueries, "q1\td1\t1\n"), Error);
  CHECK_THROWS_AS(read(kTexts, kQueries, "q1\td1\t1\nq1 d1\n"), Error);
  CHECK_THROWS_AS(read(kTexts, kQueries, "q1\td1\t1\nq1\td1\tnan\n"), Error);
}

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
  const PairCorrelations score = score_pairs({{}, {5, 1, 0, 2}}, vectors);
  CHECK(score.pairs == 4);
  // Centred scores 3 −1 −2 0: products 5, squares 14 and 2.
  CHECK(score.pearson == doctest::Approx(100 * 5 / std::sqrt(28)));
  // Centred ranks 1.5 0 −1.5 0 and 1.5 −0.5 −1.5 0.5: products 4.5, squares 4.5 and 5.
  CHECK(score.spearman == doctest::Approx(100 * 4.5 / std::sqrt(22.5)));
}

}  // namespace acevec::sentence_evaluation_test
