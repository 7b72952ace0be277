// Tests of sentence/labels.

#include "tasks/sentence/labels.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

namespace acevec::labels_test {

TEST_CASE("labels are told from words wherever they stand, each once") {
  const LabelledLine line =
      split_labels("__label__a one __label__b\ttwo __label__a label__c __label__");
  CHECK(line.labels == std::vector<std::string>{"__label__a", "__label__b", "__label__"});
  CHECK(line.text == "one two label__c ");
  CHECK(split_labels("").labels.empty());
  CHECK(split_labels("words only").text == "words only ");
}

TEST_CASE("probabilities are the softmax of a layer, the best first, for any number of threads") {
  SentenceModel model(Vocabulary({{"a", 1}}, 1, 0), {TokenMode::kSpace, 2, true});
  model.labels = {"x", "y", "z"};
  model.classifier = Matrix(3, 3);
  const float layer[3][3] = {{1, 0, -1}, {0, 2, 0}, {0.5F, 0, 0}};  // W over b
  for (int64_t i = 0; i < 3; ++i) std::copy_n(layer[i], 3, model.classifier.row(i));
  Matrix vectors(70, 2);
  vectors.row(0)[0] = 3;
  vectors.row(69)[1] = 1;
  for (const int threads : {1, 3}) {
    const auto answers = likely_labels(model, vectors, 2, threads);
    REQUIRE(answers.size() == 70);
    REQUIRE(answers[0].size() == 2);
    CHECK(answers[0][0].id == 0);
    CHECK(answers[0][1].id == 1);
    CHECK(answers[0][0].score ==
          doctest::Approx(std::exp(3.5) / (std::exp(3.5) + 1 + std::exp(-3))));
    CHECK(answers[69][0].id == 1);
    CHECK(answers[69][1].score ==
          doctest::Approx(std::exp(0.5) / (std::exp(0.5) + std::exp(2) + 1)));
  }
  CHECK(likely_labels(model, vectors, 100, 1)[5].size() == 3);
}

TEST_CASE("precision, recall and F1") {
  const LabelCounts counts{4, 2, 1};
  CHECK(counts.precision() == 0.25);
  CHECK(counts.recall() == 0.5);
  CHECK(counts.f1() == doctest::Approx(2 * 0.25 * 0.5 / 0.75));
  CHECK(std::isnan(LabelCounts{}.precision()));
}

}  // namespace acevec::labels_test
