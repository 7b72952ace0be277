// Sentences are encoded together as alone; labels.

#include "tasks/sentence/encoder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tasks/sentence/corpus.h"

namespace acevec::encoder_test {
namespace {

SentenceModel encoder_model(EncoderKind encoder) {
  SentenceModel model(Vocabulary({{"a", 4}, {"b", 3}, {"c", 2}}, 1, 0),
                      {TokenMode::kSpace, 4, false, encoder});
  start_model(model, 1);
  for (size_t k = 0; k < model.centre.size(); ++k) model.centre[k] = static_cast<float>(k);
  return model;
}

std::vector<float> alone(const SentenceModel& model, const std::vector<int32_t>& sentence) {
  Matrix vector(1, model.columns());
  SentenceEncoder(model).encode({sentence}, vector, 0);
  return {vector.row(0), vector.row(0) + model.columns()};
}

}  // namespace

TEST_CASE("sentences have the same vectors together as alone, and empty ones zeros") {
  for (const EncoderKind encoder : {EncoderKind::kBag, EncoderKind::kGru}) {
    SentenceModel model = encoder_model(encoder);
    std::vector<std::vector<int32_t>> sentences;
    for (size_t i = 0; i < 150; ++i) {  // more steps than gated units take at a time
      sentences.emplace_back();
      for (size_t k = 0; k < i % 64; ++k) {
        sentences.back().push_back(static_cast<int32_t>((i * k + k / 3) % 3));
      }
    }
    Matrix vectors(152, model.columns());
    SentenceEncoder(model).encode(sentences, vectors, 2);
    for (size_t i = 0; i < sentences.size(); ++i) {
      const float* const row = vectors.row(static_cast<int64_t>(i) + 2);
      const std::vector<float> wanted =
          sentences[i].empty() ? std::vector<float>(8) : alone(model, sentences[i]);
      CHECK(std::vector<float>(row, row + 8) == wanted);
    }
    CHECK(vectors.row(1)[0] == 0);
    const std::vector<float> centred = alone(model, {1, 2});
    std::fill(model.centre.begin(), model.centre.end(), 0.0F);
    const std::vector<float> plain = alone(model, {1, 2});
    for (size_t k = 0; k < 8; ++k) CHECK(centred[k] == plain[k] - static_cast<float>(k));
  }
}

TEST_CASE("gated units read the first words of a long sentence, and bags all") {
  std::vector<int32_t> first(kLongestSentence, 1), all = first;
  all.push_back(2);
  const SentenceModel gru = encoder_model(EncoderKind::kGru);
  CHECK(alone(gru, first) == alone(gru, all));
  const SentenceModel bag = encoder_model(EncoderKind::kBag);
  CHECK(alone(bag, first) != alone(bag, all));
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

}  // namespace acevec::encoder_test
