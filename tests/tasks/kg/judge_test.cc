// Thresholds of single triples.

#include "tasks/kg/judge.h"

#include <limits>
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
    CHECK(model.distance(triple) == 0);
    CHECK(judge.holds(triple, model.distance(triple)));
    const Triple other = replaced(triple, Side::kTail, 7);
    CHECK_FALSE(judge.holds(other, model.distance(other)));
  }
}

TEST_CASE("where nothing can be told the share is half at least") {
  KgModel model({ScoreKind::kTransE, 2}, kEntities, 1);  // all distances are 0
  const std::vector<Triple> valid{{0, 0, 1}, {2, 0, 3}};
  CHECK(Judge(model, valid, KnownTriples(kEntities, {valid})).accuracy() == 0.5);
}

TEST_CASE("a distance that is not a number is infinite, and no threshold reaches it") {
  KgModel model = line_model();
  std::vector<Triple> valid;
  for (int32_t i = 0; i < 20; ++i) valid.push_back({i, 0, i + 1});
  for (const int32_t far : {3, 11, 30}) {
    model.entities.row(far)[0] = std::numeric_limits<float>::quiet_NaN();
  }
  const Judge judge(model, valid, KnownTriples(kEntities, {valid}));
  CHECK(judge.accuracy() == doctest::Approx(0.9));  // of 40, four true ones are beyond
  CHECK(judge.holds({40, 0, 41}, model.distance({40, 0, 41})));
  CHECK_FALSE(judge.holds({3, 0, 4}, std::numeric_limits<float>::infinity()));
}

}  // namespace acevec
