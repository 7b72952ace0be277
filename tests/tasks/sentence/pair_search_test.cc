// Tests of sentence/pair_search: ranks of right texts, and which wrong ones are hard.

#include "tasks/sentence/pair_search.h"

#include <doctest/doctest.h>

#include <limits>
#include <set>
#include <vector>

#include "tasks/sentence/toy_pairs.h"

namespace acevec::pair_search_test {
namespace {

// Words are at angles around the circle: a text's vector is its word's.
struct Circle {
  explicit Circle(const std::string& pairs)
      : file("search", pairs),
        text({file.path}, TokenMode::kSpace),
        model(Vocabulary(text.words(), std::numeric_limits<int64_t>::min(), 0),
              {TokenMode::kSpace, 2, true}) {
    text.renumber(model.vocabulary);
    for (int32_t id = 0; id < model.vocabulary.size(); ++id) {
      const double degrees = std::stod(model.vocabulary.word(id)) * 3.14159265 / 180;
      model.f.rows.row(id)[0] = static_cast<float>(3 * std::cos(degrees));
      model.f.rows.row(id)[1] = static_cast<float>(3 * std::sin(degrees));
    }
  }

  std::set<int64_t> hard(std::span<const int64_t> candidates, int64_t nearest) const {
    const std::vector<int64_t> pairs{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    Random random(1);
    const std::vector<int64_t> found =
        hard_pairs(text, model, pairs, candidates, nearest, random, 3);
    CHECK(found.size() == pairs.size());
    return {found.begin(), found.end()};
  }

  const PairFile file;
  PairText text;
  SentenceModel model;
};

}  // namespace

TEST_CASE("pairs are scored among their own second sides, equal ones once") {
  // The right texts are second, first, second and second.
  const Circle circle("0\t20\n50\t50\n9\t0\n1\t20\n");
  const std::vector<int64_t> all{0, 1, 2, 3};
  for (const int threads : {1, 5}) {
    const RankingScores scores = score_pairs(circle.text, circle.model, all, threads);
    CHECK(scores.queries == 4);
    CHECK(scores.mrr10 == doctest::Approx(100 * (0.5 + 1 + 1 + 0.5) / 4));
  }
  CHECK(score_pairs(circle.text, circle.model, std::vector<int64_t>{0, 1}, 1).mrr10 == 100);
}

TEST_CASE("hard pairs are the nearest that no pair has") {
  // 0 belongs to 30 and, in another pair, to 10; the same text 5 comes twice.
  const Circle circle("0\t30\n0\t10\n90\t5\n91\t5\n92\t20\n93\t40\n94\t180\n");
  const std::vector<int64_t> all{0, 1, 2, 3, 4, 5, 6};
  CHECK(circle.hard(all, 1) == std::set<int64_t>{2});
  CHECK(circle.hard(all, 2) == std::set<int64_t>{2, 4});
  CHECK(circle.hard(std::vector<int64_t>{6, 5, 4}, 1) == std::set<int64_t>{4});
  CHECK(circle.hard(std::vector<int64_t>{0, 1}, 3) == std::set<int64_t>{-1});
  CHECK(circle.hard({}, 3) == std::set<int64_t>{-1});
}

}  // namespace acevec::pair_search_test
