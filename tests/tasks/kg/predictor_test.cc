// Answers of a learned model, and thresholds of single triples.

#include "tasks/kg/predictor.h"

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

namespace acevec::kg_predictor_test {
namespace {

constexpr size_t kHead = 0, kRelation = 1, kTail = 2;  // of kTripleColumns

// Entity i stands at i; relation r leads r + 1 places on.
KgFile line_file() {
  KgFile file{{}, {}, KgModel({ScoreKind::kTransE, 2}, 20, 3), {{4, 0, 5}, {4, 2, 6}}};
  for (int32_t i = 0; i < 20; ++i) {
    file.entities.add("e" + std::to_string(i));
    file.model.entities.row(i)[0] = static_cast<float>(i);
  }
  for (int32_t r = 0; r < 3; ++r) {
    file.relations.add("r" + std::to_string(r));
    file.model.relations.row(r)[0] = static_cast<float>(r + 1);
  }
  return file;
}

using Ids = std::vector<int32_t>;

// The answers to one question.
Ids ids(const Predictor& predictor, const Triple& triple, size_t missing, int64_t most) {
  const std::vector<OpenTriple> questions{{triple, missing}};
  const auto answers = predictor.nearest(questions, most, 1);
  Ids found;
  for (const Completion& one : answers[0]) found.push_back(one.id);
  return found;
}

constexpr int32_t kEntities = 60;

// On a line, each a step of 1 behind the one before it; relation r leads r + 1 steps on.
KgModel line_model() {
  KgModel model({ScoreKind::kTransE, 2}, kEntities, 2);
  for (int32_t i = 0; i < kEntities; ++i) model.entities.row(i)[0] = static_cast<float>(i);
  for (int32_t r = 0; r < 2; ++r) model.relations.row(r)[0] = static_cast<float>(r + 1);
  return model;
}

}  // namespace

TEST_CASE("the nearest complete a triple, of equal ones those of lower ids first") {
  const KgFile file = line_file();
  const Predictor predictor(file, true);
  CHECK(ids(predictor, {4, 0, 0}, kTail, 3) == Ids{5, 4, 6});
  const std::vector<OpenTriple> question{{{4, 0, 0}, kTail}};
  CHECK(predictor.nearest(question, 3, 1)[0][2].distance == 1);
  CHECK(ids(predictor, {0, 2, 6}, kHead, 1) == Ids{3});
  CHECK(ids(predictor, {4, 0, 6}, kRelation, 10) == Ids{1, 0, 2});
}

TEST_CASE("what was learned from can be left out, in each column") {
  const KgFile file = line_file();
  const Predictor predictor(file, false);
  CHECK(ids(predictor, {4, 0, 0}, kTail, 2) == Ids{4, 6});
  CHECK(ids(predictor, {0, 0, 5}, kHead, 2) == Ids{3, 5});
  CHECK(ids(predictor, {4, 0, 6}, kRelation, 10) == Ids{1, 0});
}

TEST_CASE("heads are asked for by the inverse of a relation, where a model has them") {
  KgFile file = line_file();
  file.model = KgModel({ScoreKind::kEuclideanTransE, 2}, 20, 3);
  for (int32_t i = 0; i < 20; ++i) file.model.entities.row(i)[0] = static_cast<float>(i);
  file.model.relations.row(3)[0] = -7;  // of relation 0
  CHECK(ids(Predictor(file, true), {0, 0, 12}, kHead, 1) == Ids{5});
}

TEST_CASE("a distance that is not a number is the largest") {
  KgFile file = line_file();
  for (const int32_t id : {0, 5, 9}) {
    file.model.entities.row(id)[0] = std::numeric_limits<float>::quiet_NaN();
  }
  const Ids nearest = ids(Predictor(file, true), {4, 0, 0}, kTail, 20);
  REQUIRE(nearest.size() == 20);
  CHECK(Ids(nearest.begin(), nearest.begin() + 3) == Ids{4, 6, 3});
  CHECK(Ids(nearest.end() - 3, nearest.end()) == Ids{0, 5, 9});
}

TEST_CASE("many questions have the answers of each, with any number of threads") {
  KgFile file{{}, {}, initial_model({ScoreKind::kComplEx, 20}, 700, 3, 7), {}};
  for (int i = 0; i < 700; ++i) file.entities.add(std::to_string(i));
  for (int i = 0; i < 3; ++i) file.relations.add(std::to_string(i));
  for (int32_t i = 0; i < 300; ++i) file.known.push_back({i, i % 3, i * 7 % 700});
  std::vector<OpenTriple> questions;
  for (int32_t i = 0; i < 150; ++i) {
    questions.push_back({{i, i % 3, i * 7 % 700}, static_cast<size_t>(i) % 3});
  }
  const Predictor predictor(file, false);
  const auto all = predictor.nearest(questions, 5, 1);
  const auto by_team = predictor.nearest(questions, 5, 16);
  REQUIRE(all.size() == questions.size());
  for (size_t i = 0; i < questions.size(); ++i) {
    const auto alone = predictor.nearest({&questions[i], 1}, 5, 1)[0];
    REQUIRE(alone.size() == (i % 3 == kRelation ? 2 : 5));  // one of three is known
    for (size_t k = 0; k < alone.size(); ++k) {
      CHECK(alone[k].id == all[i][k].id);
      CHECK(alone[k].distance == all[i][k].distance);
      CHECK(alone[k].id == by_team[i][k].id);
    }
  }
}

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

}  // namespace acevec::kg_predictor_test
