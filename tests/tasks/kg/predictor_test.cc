// What completes a triple, on a line where it can be seen.

#include "tasks/kg/predictor.h"

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

namespace acevec::predictor_test {
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

}  // namespace

TEST_CASE("the nearest complete a triple, of equal ones those of lower ids first") {
  const KgFile file = line_file();
  Predictor predictor(file);
  CHECK(predictor.nearest({4, 0, 0}, kTail, 3, true) == Ids{5, 4, 6});
  CHECK(predictor.distance(6) == 1);
  CHECK(predictor.nearest({0, 2, 6}, kHead, 1, true) == Ids{3});
  CHECK(predictor.nearest({4, 0, 6}, kRelation, 10, true) == Ids{1, 0, 2});
}

TEST_CASE("what was learned from can be left out, in each column") {
  const KgFile file = line_file();
  Predictor predictor(file);
  CHECK(predictor.nearest({4, 0, 0}, kTail, 2, false) == Ids{4, 6});
  CHECK(predictor.nearest({0, 0, 5}, kHead, 2, false) == Ids{3, 5});
  CHECK(predictor.nearest({4, 0, 6}, kRelation, 10, false) == Ids{1, 0});
}

TEST_CASE("heads are asked for by the inverse of a relation, where a model has them") {
  KgFile file = line_file();
  file.model = KgModel({ScoreKind::kTransE, 2, true}, 20, 3);
  for (int32_t i = 0; i < 20; ++i) file.model.entities.row(i)[0] = static_cast<float>(i);
  file.model.relations.row(3)[0] = -7;  // of relation 0
  Predictor predictor(file);
  CHECK(predictor.nearest({0, 0, 12}, kHead, 1, true) == Ids{5});
}

TEST_CASE("a distance that is not a number is the largest") {
  KgFile file = line_file();
  for (const int32_t id : {0, 5, 9}) {
    file.model.entities.row(id)[0] = std::numeric_limits<float>::quiet_NaN();
  }
  Predictor predictor(file);
  const Ids nearest = predictor.nearest({4, 0, 0}, kTail, 20, true);
  REQUIRE(nearest.size() == 20);
  CHECK(Ids(nearest.begin(), nearest.begin() + 3) == Ids{4, 6, 3});
  CHECK(Ids(nearest.end() - 3, nearest.end()) == Ids{0, 5, 9});
}

}  // namespace acevec::predictor_test
