// Tests of sentence/static_embedding: the plain mean of rows against the encoder, and words.

#include "tasks/sentence/static_embedding.h"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <numeric>
#include <vector>

#include "base/error.h"
#include "tasks/sentence/encoder.h"
#include "temporary_folder.h"

namespace acevec {
namespace {

SentenceModel exported_model(std::vector<WordCount> words, bool tied, EncoderKind encoder) {
  SentenceModel model(Vocabulary(std::move(words), 1, 0),
                      {TokenMode::kSpace, 5, tied, encoder, false, 3});
  start_model(model, 1);
  for (size_t k = 0; k < model.centre.size(); ++k) model.centre[k] = 0.1F * static_cast<float>(k);
  return model;
}

double cosine(const std::vector<double>& a, const std::vector<double>& b) {
  const auto dot = [](const auto& x, const auto& y) {
    return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
  };
  return dot(a, b) / std::sqrt(dot(a, a) * dot(b, b));
}

}  // namespace

TEST_CASE("the plain mean of exported rows has the direction of the encoder's vector") {
  const SentenceModel model =
      exported_model({{"a", 900}, {"b", 30}, {"c", 20}, {"d", 1}}, true, EncoderKind::kBag);
  const StaticEmbedding embedding = static_embedding(model);
  CHECK(embedding.words == std::vector<std::string>{"a", "b", "c", "d"});
  const std::vector<std::vector<int32_t>> sentences{{0}, {3}, {0, 1}, {0, 0, 3}, {0, 1, 2, 3, 1}};
  Matrix vectors(5, 5);
  SentenceEncoder(model).encode(sentences, vectors, 0);
  for (size_t i = 0; i < sentences.size(); ++i) {
    CAPTURE(i);
    std::vector<double> mean(5);
    for (const int32_t id : sentences[i]) {
      for (int64_t k = 0; k < 5; ++k) {
        mean[static_cast<size_t>(k)] += embedding.rows.row(id + 1)[k];
      }
    }
    const float* const row = vectors.row(static_cast<int64_t>(i));
    CHECK(cosine(mean, {row, row + 5}) > 1 - 1e-9);
  }
  for (int64_t k = 0; k < 5; ++k) CHECK(embedding.rows.row(0)[k] == 0);
}

TEST_CASE("words that the files cannot hold are left out with their rows") {
  const SentenceModel model =
      exported_model({{"[UNK]", 9}, {"a\xff", 8}, {"b", 7}, {"a\xef\xbf\xbd", 6}, {"\"/~\\", 5}},
                     true, EncoderKind::kBag);
  const StaticEmbedding embedding = static_embedding(model);
  CHECK(embedding.words == std::vector<std::string>{"a\xef\xbf\xbd", "b", "\"/~\\"});
  REQUIRE(embedding.rows.rows() == 4);
  const float* const from = model.f.rows.row(2);
  const float ratio = embedding.rows.row(2)[0] / from[0];  // the centre's first number is 0
  CHECK(embedding.rows.row(2)[4] == doctest::Approx(ratio * (from[4] - 0.4F)));
}

TEST_CASE("encoders without one row per word are refused") {
  CHECK_THROWS_AS(static_embedding(exported_model({{"a", 1}}, false, EncoderKind::kBag)), Error);
  CHECK_THROWS_AS(static_embedding(exported_model({{"a", 1}}, true, EncoderKind::kGru)), Error);
}

TEST_CASE("all files are written or none") {
  const TemporaryFolder folder;
  const StaticEmbedding embedding =
      static_embedding(exported_model({{"a", 1}}, true, EncoderKind::kBag));
  const std::string to = folder.path("new");
  write_static_embedding(embedding, TokenMode::kWords, to);
  for (const std::string& path : static_embedding_files(to)) {
    CHECK(std::filesystem::file_size(path) > 0);
  }
  const std::string old = folder.write("new/model.safetensors", "old");
  std::filesystem::remove(to + "/modules.json");
  std::filesystem::create_directory(to + "/modules.json");
  CHECK_THROWS_AS(write_static_embedding(embedding, TokenMode::kWords, to), Error);
  CHECK(folder.read("new/model.safetensors") == "old");
  CHECK_THROWS_AS(write_static_embedding(embedding, TokenMode::kWords, old), Error);
}

}  // namespace acevec
