// Thresholds of single triples.

#include "tasks/kg/judge.h"

#include <vector>

#include <doctest/doctest.h>

namespace acevec {
namespace {

constexpr int32_t kEntities = 60;

// On a line, each a step of 1 behind the one before it; relation r leads r + 1 steps on.
KgModel line_model() {
  KgModel model({ScoreKind::kTransE, 2}, kEntities, 2);
  for (int32_t i = 0; i < kEntities; ++i) model.entities.row(i)[0] = static_cast<float>(i);
  for (int32_t r = 0; r < 2; ++r) model.relations.row(r)[0] = static_cast<float>(r + 1);
  return model;
}

}  // namespace

TEST_CASE("thresholds tell true triples from false ones, of rare relations too") {
  const KgModel model = line_model();
  std::vector<Triple> valid;
  for (int32_t i = 0; i < 20; ++i) valid.push_back({i, 0, i + 1});
  valid.push_back({3, 1, 5});
  const Judge judge(model, valid, KnownTriples(kEntities, {valid}));
  CHECK(judge.accuracy() == 1);
  for (const Triple& triple : {Triple{40, 0, 41}, Triple{40, 1, 42}}) {
    CHECK(triple_distance(model, triple) == 0);
    CHECK(judge.holds(triple, triple_distance(model, triple)));
    const Triple other = replaced(triple, Side::kTail, 7);
    CHECK_FALSE(judge.holds(other, triple_distance(model, other)));
  }
}

TEST_CASE("where nothing can be told the share is half at least") {
  KgModel model({ScoreKind::kTransE, 2}, kEntities, 1);  // all distances are 0
  const std::vector<Triple> valid{{0, 0, 1}, {2, 0, 3}};
  CHECK(Judge(model, valid, KnownTriples(kEntities, {valid})).accuracy() == 0.5);
}

TEST_CASE("with reverses a triple's distance is the mean of both directions") {
  const KgModel model = initial_model({ScoreKind::kComplEx, 8, true}, 5, 2, 1);
  const auto distance = [&](int32_t head, int32_t relation, int32_t tail) {
    return model.score->distance(model.entities.row(head), model.relations.row(relation),
                                 model.entities.row(tail));
  };
  CHECK(triple_distance(model, {1, 0, 4}) ==
        doctest::Approx((distance(1, 0, 4) + distance(4, 2, 1)) / 2));
}

}  // namespace acevec
