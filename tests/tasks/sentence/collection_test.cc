// Tests of sentence/collection.

#include "tasks/sentence/collection.h"

#include <doctest/doctest.h>

#include "base/error.h"
#include "tasks/sentence/toy_pairs.h"

namespace acevec::collection_test {
namespace {

Collection read(const std::string& texts, const std::string& queries, const std::string& qrels) {
  const PairFile a("docs", texts), b("queries", queries), c("qrels", qrels);
  return read_collection(a.path, b.path, c.path);
}

constexpr char kTexts[] = "d1\tone text\nd2\t\nd3\tthree\ttabs\n";
constexpr char kQueries[] = "q1\tone\nq2\ttwo\n";

}  // namespace

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

TEST_CASE("equal second sides of pairs are one text") {
  const PairFile file("collection", "a\tx\nb\ty\na\ty\n");
  const Collection all = read_pair_collection({file.path});
  CHECK(all.queries.size() == 3);
  CHECK(all.texts == std::vector<std::string>{"x", "y"});
  CHECK(all.judged[2] == Judged{{1, 1.0}});
}

TEST_CASE("what is none of these is refused") {
  CHECK_THROWS_AS(read("no tab\n", kQueries, "q1\td1\t1\n"), Error);
  CHECK_THROWS_AS(read("d1\ta\nd1\tb\n", kQueries, "q1\td1\t1\n"), Error);
  CHECK_THROWS_AS(read("", kQueries, "q1\td1\t1\n"), Error);
  CHECK_THROWS_AS(read(kTexts, kQueries, "q1\td1\t1\nq1 d1\n"), Error);
  CHECK_THROWS_AS(read(kTexts, kQueries, "q1\td1\t1\nq1\td1\tnan\n"), Error);
}

}  // namespace acevec::collection_test
