// Ranks against a plain count over all entities.

#include "tasks/kg/candidates.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <doctest/doctest.h>
#include "base/random.h"
#include "tasks/kg/asked_distance.h"
#include "tasks/kg/graph.h"
#include "temporary_folder.h"

namespace acevec::evaluation_test {
namespace {

constexpr int32_t kEntities = 700;
constexpr int32_t kRelations = 3;

std::vector<Triple> random_triples(size_t count, Random& random) {
  std::vector<Triple> triples;
  while (triples.size() < count) {
    triples.push_back({static_cast<int32_t>(random.below(kEntities)),
                       static_cast<int32_t>(random.below(kRelations)),
                       static_cast<int32_t>(random.below(kEntities))});
  }
  return triples;
}

double defined_rank(const KgModel& model, const Triple& triple, Side side,
                    const KnownTriples* known) {
  const float truth = asked_distance(model, side, triple);
  double rank = 1;
  for (int32_t id = 0; id < kEntities; ++id) {
    const Triple one = replaced(triple, side, id);
    if (one == triple || (known != nullptr && known->at(side).contains(one))) continue;
    rank += asked_distance(model, side, one) < truth ? 1 : 0;
  }
  return rank;
}

}  // namespace

TEST_CASE("link prediction ranks as a plain count does") {
  for (const ScoreKind kind : kScoreKinds) {
    Random random(1);
    const KgModel model = initial_model({kind, 10}, kEntities, kRelations, 7);
    const std::vector<Triple> triples = random_triples(150, random);
    const std::vector<Triple> others = random_triples(20000, random);
    const KnownTriples known(kEntities, {others, triples});
    double raw = 0, filtered = 0, reciprocal = 0, hits10 = 0;
    for (const Triple& triple : triples) {
      for (const Side side : {Side::kHead, Side::kTail}) {
        raw += defined_rank(model, triple, side, nullptr) / 300;
        const double rank = defined_rank(model, triple, side, &known);
        filtered += rank / 300;
        reciprocal += 1 / rank / 300;
        hits10 += rank <= 10 ? 1.0 / 300 : 0;
      }
    }
    REQUIRE(filtered < raw - 1);
    const LinkScores scores = rank_links(model, triples, known, 2);
    // Distances of 32-bit floats may tie here and not there.
    CHECK(scores.raw.mean_rank == doctest::Approx(raw).epsilon(1e-3));
    CHECK(scores.filtered.mean_rank == doctest::Approx(filtered).epsilon(1e-3));
    CHECK(scores.filtered.mrr == doctest::Approx(reciprocal).epsilon(0.02));
    CHECK(scores.filtered.hits10 == doctest::Approx(hits10).epsilon(0.02));
  }
}

TEST_CASE("entities with the same vectors tie, wherever they stand") {
  for (const ScoreKind kind : kScoreKinds) {
    for (const int32_t entities : {5, 513, 514, 515, 1027}) {  // more than are looked at together
      KgModel model = initial_model({kind, 38}, entities, 1, 7);
      const int32_t last = entities - 1;
      std::copy_n(model.entities.row(1), model.entities.stride(), model.entities.row(last));
      std::vector<Triple> one{{0, 0, 1}}, other{{0, 0, last}};
      const KnownTriples known(entities, {one});
      const double rank = rank_links(model, one, known, 1).raw.mean_rank;
      // Heads are alike, so that only half a place of tails can be shared.
      CHECK(std::fmod(4 * rank, 2) == 1);
      CHECK(rank == rank_links(model, other, known, 1).raw.mean_rank);
    }
  }
}

TEST_CASE("what ties shares its places, and hits count from the place itself") {
  // Entities on a line: tails of (0, step, ?) at distances 1, 0, 1, 2, 0, ...
  KgModel model({ScoreKind::kTransE, 1}, 5, 1);
  model.relations.row(0)[0] = 1;
  const float places[] = {0, 1, 2, 3, 1};
  for (int64_t i = 0; i < 5; ++i) model.entities.row(i)[0] = places[i];
  const std::vector<Triple> triples{{0, 0, 1}};
  const KnownTriples known(5, {triples});
  // Tail 1 ties with 4: ranks 1 and 2, mean 1.5. Head 0 is the only one a step before 1: rank 1.
  const RankScore score = rank_links(model, triples, known, 1).filtered;
  CHECK(score.mean_rank == doctest::Approx(1.25));
  CHECK(score.mrr == doctest::Approx((1 / 1.5 + 1) / 2));
  CHECK(score.hits1 == doctest::Approx(0.5));
  CHECK(score.hits3 == doctest::Approx(1));
  // When 4 is known to be true too, it stands in nobody's way.
  const std::vector<Triple> more{{0, 0, 4}};
  const KnownTriples both(5, {triples, more});
  const LinkScores scores = rank_links(model, triples, both, 1);
  CHECK(scores.filtered.mean_rank == doctest::Approx(1));
  CHECK(scores.raw.mean_rank == doctest::Approx(1.25));
}

TEST_CASE("triples with an entity or a relation that training never saw are ranked by hand") {
  const TemporaryFolder folder;
  const Graph graph =
      read_graph(folder.write("train", "a\tin\tb\nc\tin\td\n"), "",
                 folder.write("test", "a\tin\te\na\tnear\tb\n"));  // e and near are unseen
  REQUIRE(graph.entities.size() == 5);
  REQUIRE(graph.test.triples.size() == 2);
  KgModel model({ScoreKind::kTransE, 1}, 5, 2);  // zeros
  model.relations.row(0)[0] = 1;
  const float places[] = {0, 1, 5, 6, 0};
  for (int64_t i = 0; i < 5; ++i) model.entities.row(i)[0] = places[i];
  const KnownTriples known(5, {graph.train.triples, graph.test.triples});
  const RankScore score = rank_links(model, graph.test.triples, known, 1).filtered;
  // (a, in, ?): b is known, a and e tie: 1.5. (?, in, e): a and e tie: 1.5. (a, near, ?): a and e
  // stand before b: 3. (?, near, b): b stands before a and e, which tie: 2.5.
  CHECK(score.mean_rank == doctest::Approx((1.5 + 1.5 + 3 + 2.5) / 4));
  CHECK(score.mrr == doctest::Approx((1 / 1.5 + 1 / 1.5 + 1 / 3.0 + 1 / 2.5) / 4));
}

TEST_CASE("a model without distances ranks last") {
  KgModel model({ScoreKind::kTransE, 1}, 5, 1);
  model.relations.row(0)[0] = std::numeric_limits<float>::quiet_NaN();
  const std::vector<Triple> triples{{0, 0, 1}};
  const LinkScores scores = rank_links(model, triples, KnownTriples(5, {triples}), 1);
  CHECK(scores.raw.mean_rank >= 5);
}

}  // namespace acevec::evaluation_test
