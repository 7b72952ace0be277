// Weighted penalties, cuts and their quality by hand; answers after training on a tree.

#include "tasks/order/answers.h"

#include <cmath>
#include <limits>
#include <vector>

#include <doctest/doctest.h>
#include "tasks/order/geometry.h"
#include "tasks/order/hierarchy.h"
#include "tasks/order/steps.h"
#include "tasks/order/task.h"
#include "tasks/order/tree.h"
#include "train/train_task.h"

namespace acevec::answers_test {
namespace {

// Concept i as one number, its depth: the penalty of (a, b) is max(0, b − a)².
Matrix line_of(const std::vector<float>& places) {
  Matrix vectors(static_cast<int64_t>(places.size()), 1);
  for (size_t i = 0; i < places.size(); ++i) vectors.row(static_cast<int64_t>(i))[0] = places[i];
  return vectors;
}

// Two numbers each, all of the same sum, so that every penalty counts.
Matrix tilted(const std::vector<float>& tilts) {
  Matrix vectors(static_cast<int64_t>(tilts.size()), 2);
  for (size_t i = 0; i < tilts.size(); ++i) {
    vectors.row(static_cast<int64_t>(i))[0] = 8 - tilts[i];
    vectors.row(static_cast<int64_t>(i))[1] = 8 + tilts[i];
  }
  return vectors;
}

std::vector<int32_t> ids_of(const std::vector<Answer>& answers) {
  std::vector<int32_t> ids;
  for (const Answer& answer : answers) ids.push_back(answer.id);
  return ids;
}

}  // namespace

TEST_CASE("a weighted penalty grows with the penalty and with the general's row") {
  const Matrix vectors = tilted({0, 0, 0, 0, 1, 2});
  const Answers answers({vectors});
  double squares = 0;
  for (int64_t i = 0; i < 6; ++i) {
    squares += std::pow(double{vectors.row(i)[0]}, 2) + std::pow(double{vectors.row(i)[1]}, 2);
  }
  const double floor = 3e-4 * squares / 6;
  CHECK(answers.weighted({5, 0}) == doctest::Approx(4 + floor));
  CHECK(answers.weighted({5, 3}) == doctest::Approx(2 * (4 + floor)));
  CHECK(answers.weighted({0, 4}) == doctest::Approx(std::sqrt(5.0) * (1 + floor)));
  CHECK(answers.weighted({0, 3}) == doctest::Approx(2 * floor));
}

TEST_CASE("of two concepts the one that stands lower is no general") {
  const Matrix vectors = line_of({0, 1, 2});
  const Answers answers({vectors});
  CHECK(std::isfinite(answers.weighted({2, 1})));
  CHECK(answers.weighted({1, 2}) == std::numeric_limits<float>::infinity());
}

TEST_CASE("answers are sorted, those in order by their row") {
  // 3 is above 4; of the others, all above both, the first row is the surest.
  const Matrix vectors = line_of({0, 0, 0, 1, 2});
  const Answers answers({vectors});
  CHECK(ids_of(answers.find(Replaced::kGeneral, 4, 1)) == std::vector<int32_t>{0, 1, 2, 3});
  CHECK(ids_of(answers.find(Replaced::kSpecific, 3, 1)) == std::vector<int32_t>{4});
  CHECK(ids_of(answers.find(Replaced::kSpecific, 4, 1)).empty());
  const float second = answers.weighted({4, 1});
  CHECK(ids_of(answers.find(Replaced::kGeneral, 4, second)) == std::vector<int32_t>{0, 1});
}

TEST_CASE("precision and recall are shares of all answers and of all that is true") {
  const Matrix vectors = line_of({0, 1, 2, 3});
  const Answers answers({vectors});
  // Answers: 1 → 0; 2 → 0, 1; 3 → 0, 1, 2, of which 2 → 1 and 3 → 2 are false and 0 → 1 is missed.
  const ExactPairs truth = generals_of(4, {{1, 0}, {2, 0}, {3, 0}, {3, 1}, {0, 1}});
  const AnswerQuality quality =
      answer_quality(answers, Replaced::kGeneral, truth, {0, 1, 2, 3}, 1000, 2);
  CHECK(quality.precision == doctest::Approx(4.0 / 6));
  CHECK(quality.recall == doctest::Approx(4.0 / 5));
  const AnswerQuality none = answer_quality(answers, Replaced::kGeneral, truth, {1}, 0, 1);
  CHECK(none.precision == 1);
  CHECK(none.recall == 0);
}

TEST_CASE("the cut has the best F1 of those that are precise") {
  // From 0 weighted penalties rise with the rows: 1 to 9 true, 10 false, 11 true, 12 to 15 false,
  // 16 and 17 true.
  std::vector<float> tilts;
  for (int i = 0; i <= 17; ++i) tilts.push_back(static_cast<float>(i) / 4);
  const Matrix vectors = tilted(tilts);
  const Answers answers({vectors});
  std::vector<OrderPair> pairs;
  for (const int32_t y : {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 16, 17}) pairs.push_back({0, y});
  for (const int threads : {1, 2}) {
    const AnswerCut cut = choose_cut(answers, generals_of(18, pairs), {0}, threads);
    CHECK(cut.weighted == answers.weighted({0, 11}));  // 10 of 11; 0.70 with all
    CHECK(cut.quality.precision == doctest::Approx(10.0 / 11));
    CHECK(cut.quality.recall == doctest::Approx(10.0 / 12));
  }
}

TEST_CASE("where no cut is precise, the one of the best F1 is taken") {
  const Matrix vectors = tilted({0, 0.25F, 0.5F, 0.75F, 1});
  const Answers answers({vectors});
  const AnswerCut cut = choose_cut(answers, generals_of(5, {{0, 2}, {0, 3}}), {0}, 1);
  CHECK(cut.weighted == answers.weighted({0, 3}));
  CHECK(cut.quality.precision == doctest::Approx(2.0 / 3));
}

TEST_CASE("a cut is above 0, so that vectors can be scaled to it") {
  const Matrix zeros = line_of({0, 0, 0});
  CHECK(choose_cut(Answers({zeros}), generals_of(3, {{0, 1}}), {0}, 1).weighted > 0);
  CHECK(choose_cut(Answers({zeros}), generals_of(3, {{0, 1}}), {}, 1).weighted > 0);
}

TEST_CASE("where no cut finds anything true, what is in order is an answer") {
  const Matrix vectors = line_of({0, 1, 2});
  const Answers answers({vectors});
  const AnswerCut cut = choose_cut(answers, generals_of(3, {{0, 1}}), {0}, 1);
  CHECK(cut.weighted == answers.loosest_in_order());
  CHECK(ids_of(answers.find(Replaced::kGeneral, 2, cut.weighted)) == std::vector<int32_t>{0, 1});
}

TEST_CASE("samples are evenly spaced") {
  const ExactPairs truth = generals_of(12, tree_pairs(11, 1));
  CHECK(sample_concepts(truth, 3) == std::vector<int32_t>{1, 4, 8});
  CHECK(sample_concepts(truth, 100).size() == 11);
}

TEST_CASE(
    "after training on a tree nine of ten answers are true, and nine of ten truths answered") {
  const Hierarchy hierarchy = tree(3, 6);  // 1,093 concepts
  const int64_t concepts = hierarchy.concepts.size();
  OrderSettings settings;
  settings.size = 20;
  settings.batch = 100;
  Matrix vectors = initial_order_vectors(hierarchy.lines, concepts, settings.size, settings.seed);
  const Split split{hierarchy.lines, {}, {}};
  OrderTask task(hierarchy, split, settings, vectors);
  train_task(task, {1, 1, 40, {0.01, 0}});
  const Answers answers({vectors});
  const ExactPairs generals = generals_of(concepts, hierarchy.lines);
  // Chosen on some, judged on others.
  std::vector<int32_t> chosen, judged;
  for (int32_t id = 1; id < concepts; ++id) (id % 2 == 0 ? chosen : judged).push_back(id);
  const AnswerCut cut = choose_cut(answers, generals, chosen, 1);
  const AnswerQuality above =
      answer_quality(answers, Replaced::kGeneral, generals, judged, cut.weighted, 1);
  CHECK(above.precision > 0.9);
  CHECK(above.recall > 0.9);
  const ExactPairs specifics = specifics_of(concepts, hierarchy.lines);
  const AnswerQuality below = answer_quality(answers, Replaced::kSpecific, specifics,
                                             sample_concepts(specifics, 100), cut.weighted, 1);
  CHECK(below.precision > 0.9);
  CHECK(below.recall > 0.9);
}

}  // namespace acevec::answers_test
