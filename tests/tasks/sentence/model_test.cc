// Where learning begins, and the file of a model.

#include "tasks/sentence/model.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/error.h"
#include "container.h"
#include "temporary_folder.h"

namespace acevec {
namespace {

SentenceModel started(EncoderKind encoder) {
  SentenceModel model(Vocabulary({{"often", 90}, {"rare", 10}}, 1, 0),
                      {TokenMode::kSpace, 2, false, encoder});
  start_model(model, 1);
  return model;
}

SentenceModel some_model(EncoderKind encoder) {
  SentenceModel model(Vocabulary({{"a", 4}, {"b", 3}, {"c", 2}, {"d", 1}}, 1, 0),
                      {TokenMode::kWords, 7, false, encoder});
  start_model(model, 1);
  model.centre[1] = 1;
  return model;
}

std::string written(const SentenceModel& model, const TemporaryFolder& folder) {
  const std::string path = folder.path("model");
  CheckpointWriter file(path);
  write_sentence_model(model, file);
  file.commit();
  return path;
}

bool same_numbers(const Matrix& a, const Matrix& b) {
  return a.bytes() == b.bytes() && std::equal(a.row(0), a.row(a.rows()), b.row(0));
}

}  // namespace

TEST_CASE("two networks begin differently, and words of a bag with the weights of SIF") {
  SentenceModel model = started(EncoderKind::kBag);
  CHECK(model.f.rows.row(0)[0] != model.g().rows.row(0)[0]);
  for (const Network* const network : {&model.f, &model.g()}) {
    CHECK(std::exp(network->rows.row(0)[2]) == doctest::Approx(0.001 / (0.001 + 0.9)));
    CHECK(std::exp(network->rows.row(1)[2]) == doctest::Approx(0.001 / (0.001 + 0.1)));
    CHECK(network->gates.rows() == 0);
  }
  model = started(EncoderKind::kGru);
  CHECK(model.f.rows.columns() == 2);
  CHECK(model.f.gates.rows() == Gru::parameter_rows(2, 2));
  CHECK(model.f.gates.row(0)[0] != model.g().gates.row(0)[0]);
}

TEST_CASE("both networks start from the vectors that a file has, of a word the first") {
  const TemporaryFolder folder;
  const std::string path = folder.write("v", "3 2\nrare 1 2\nother 3 4\nrare 5 6\n");
  SentenceModel model = started(EncoderKind::kBag);
  const SentenceModel before = started(EncoderKind::kBag);
  CHECK(start_from(*open_start(path, model.shape), model) == 1);
  for (const Network* const network : {&model.f, &model.g()}) {
    CHECK(network->rows.row(1)[0] == 1);
    CHECK(network->rows.row(1)[1] == 2);
  }
  for (int64_t k = 0; k < 3; ++k) CHECK(model.f.rows.row(0)[k] == before.f.rows.row(0)[k]);
  CHECK(model.f.rows.row(1)[2] == before.f.rows.row(1)[2]);
  CHECK_THROWS_AS(open_start(folder.write("v3", "1 3\nrare 1 2 3\n"), model.shape), Error);
}

TEST_CASE("a model is read as it was written") {
  const TemporaryFolder folder;
  for (const EncoderKind encoder : {EncoderKind::kBag, EncoderKind::kGru}) {
    const SentenceModel model = some_model(encoder);
    const std::string path = written(model, folder);
    const SentenceModel same = read_sentence_model(path);
    CHECK(same.shape.mode == TokenMode::kWords);
    CHECK(same.shape.encoder == encoder);
    CHECK(same.columns() == 14);
    CHECK(same.centre == model.centre);
    CHECK(same.vocabulary.word(2) == "c");
    CHECK(same.vocabulary.count(2) == 2);
    CHECK(same_numbers(same.f.rows, model.f.rows));
    CHECK(same_numbers(same.g().rows, model.g().rows));
    CHECK(same_numbers(same.f.gates, model.f.gates));
    CHECK(same_numbers(same.g().gates, model.g().gates));
  }
}

TEST_CASE("a bag is read as scaled, and a gated unit that says so is refused") {
  const TemporaryFolder folder;
  for (const EncoderKind encoder : {EncoderKind::kBag, EncoderKind::kGru}) {
    SentenceModel model = some_model(encoder);
    CHECK_FALSE(read_sentence_model(written(model, folder)).shape.scaled);
    model.shape.scaled = true;
    const std::string path = written(model, folder);
    if (encoder == EncoderKind::kBag) {
      CHECK(read_sentence_model(path).shape.scaled);
    } else {
      CHECK_THROWS_AS(read_sentence_model(path), Error);
    }
  }
}

TEST_CASE("labels and their layer are read as they were written, and others are refused") {
  const TemporaryFolder folder;
  SentenceModel model = some_model(EncoderKind::kBag);
  CHECK(read_sentence_model(written(model, folder)).labels.empty());
  model.labels = {"__label__a", "__label__b", "__label__c"};
  model.classifier = Matrix(model.columns() + 1, 3);
  model.classifier.row(14)[2] = 5;
  const SentenceModel same = read_sentence_model(written(model, folder));
  CHECK(same.labels == model.labels);
  CHECK(same_numbers(same.classifier, model.classifier));
  model.classifier = Matrix(model.columns(), 3);  // a row too few
  CHECK_THROWS_AS(read_sentence_model(written(model, folder)), Error);
  model.labels.resize(1);
  CHECK_THROWS_AS(read_sentence_model(written(model, folder)), Error);
}

TEST_CASE("counts that are negative or add up to 2^63 are refused") {
  const TemporaryFolder folder;
  written(some_model(EncoderKind::kBag), folder);
  for (const int64_t count : {int64_t{-1}, std::numeric_limits<int64_t>::max() - 4}) {
    const std::string forgery = forged(folder.read("model"), "counts", 0, count);
    CHECK_THROWS_AS(read_sentence_model(folder.write("forged", forgery)), Error);
  }
}

TEST_CASE("a damaged model is refused") {
  const TemporaryFolder folder;
  written(some_model(EncoderKind::kBag), folder);
  const std::string bytes = folder.read("model");
  for (size_t at = 0; at < bytes.size(); at += bytes.size() / 40) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    CHECK_THROWS_AS(read_sentence_model(folder.write("damaged", damaged)), Error);
    CHECK_THROWS_AS(read_sentence_model(folder.write("cut", bytes.substr(0, at))), Error);
  }
}

TEST_CASE("a model with a centre that is not finite is refused") {
  const TemporaryFolder folder;
  SentenceModel model = some_model(EncoderKind::kBag);
  model.centre[1] = std::numeric_limits<float>::quiet_NaN();
  CHECK_THROWS_AS(read_sentence_model(written(model, folder)), Error);
}

}  // namespace acevec
