// Rows, weights and centre of means against their formulas, and the start of pairs.

#include "tasks/sentence/model.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "tasks/sentence/corpus.h"
#include "tasks/sentence/encoder.h"

namespace acevec::mean_model_test {
namespace {

WordVectors vectors_of(const std::vector<std::string>& words,
                       const std::vector<std::vector<float>>& rows) {
  WordVectors vectors{words, Matrix(std::ssize(rows), std::ssize(rows[0]))};
  for (size_t i = 0; i < rows.size(); ++i) {
    std::copy(rows[i].begin(), rows[i].end(), vectors.vectors.row(static_cast<int64_t>(i)));
  }
  return vectors;
}

// The words of a model and their rows.
std::map<std::string, std::vector<float>> rows_of(const SentenceModel& model) {
  std::map<std::string, std::vector<float>> rows;
  for (int32_t id = 0; id < model.vocabulary.size(); ++id) {
    const float* const row = model.f.rows.row(id);
    rows[model.vocabulary.word(id)] = {row, row + model.shape.size + 1};
  }
  return rows;
}

WordVectors three() {
  return vectors_of({"rare", "often", "unseen"}, {{3, 4}, {0, -2}, {5, 0}});
}

const std::vector<WordCount> kCounts = {{"often", 90}, {"rare", 10}, {"nowhere", 1000}};

int32_t id_of(const SentenceModel& model, const std::string& word) {
  std::vector<int32_t> ids;
  SentenceReader(model.vocabulary, TokenMode::kSpace, model.shape.unknown).read(word, ids);
  REQUIRE(ids.size() == 1);
  return ids[0];
}

double length(const float* row, int64_t size) {
  double sum = 0;
  for (int64_t k = 0; k < size; ++k) sum += static_cast<double>(row[k] * row[k]);
  return std::sqrt(sum);
}

}  // namespace

TEST_CASE("a mean's rows have length 1, and its weights are SIF's") {
  const SentenceModel model = mean_model(three(), kCounts, {{}, 0.3, false}, 1);
  CHECK(model.columns() == 2);
  CHECK(model.vocabulary.count(0) == 90);
  const auto rows = rows_of(model);
  CHECK(rows.size() == 3);  // words of the vectors
  CHECK(rows.at("rare")[0] == doctest::Approx(0.6));
  CHECK(rows.at("rare")[1] == doctest::Approx(0.8));
  CHECK(rows.at("often")[1] == doctest::Approx(-1));
  CHECK(std::exp(rows.at("often")[2]) == doctest::Approx(0.3 / (0.3 + 0.9)));
  CHECK(std::exp(rows.at("rare")[2]) == doctest::Approx(0.3 / (0.3 + 0.1)));
  CHECK(rows.at("unseen")[2] == 0);  // a weight of 1
  // Σ w p v / Σ w p: 0.25 · 0.9 of "often", 0.75 · 0.1 of "rare".
  const double total = 0.25 * 0.9 + 0.75 * 0.1;
  CHECK(model.centre[0] == doctest::Approx(0.075 * 0.6 / total));
  CHECK(model.centre[1] == doctest::Approx((0.075 * 0.8 - 0.225) / total));
}

TEST_CASE("a mean encodes a sentence as Σ w v / Σ w, less the centre") {
  const SentenceModel model = mean_model(three(), kCounts, {{}, 0.3, false}, 1);
  Matrix vector(1, 2);
  SentenceEncoder(model).encode(
      {{id_of(model, "rare"), id_of(model, "often"), id_of(model, "unseen")}}, vector, 0);
  const double x = (0.75 * 0.6 + 1) / 2, y = (0.75 * 0.8 - 0.25) / 2;
  CHECK(double{vector.row(0)[0]} + double{model.centre[0]} == doctest::Approx(x));
  CHECK(double{vector.row(0)[1]} + double{model.centre[1]} == doctest::Approx(y));
}

TEST_CASE("a mean for search has roots of SIF's weights, and vectors scaled by Σ w / √n") {
  WordVectors vectors = vectors_of({"a", "b", "c"}, {{1, 0}, {0.8F, 0.6F}, {0, 2}});
  const SentenceModel model =
      mean_model(std::move(vectors), {{"a", 3}, {"b", 2}, {"c", 5}}, {{}, 0.1, true}, 1);
  const auto rows = rows_of(model);
  const double a = std::sqrt(0.1 / 0.4), b = std::sqrt(0.1 / 0.3);
  CHECK(std::exp(rows.at("a")[2]) == doctest::Approx(a));
  Matrix vector(2, 2);
  SentenceEncoder(model).encode({{}, {id_of(model, "a"), id_of(model, "b"), id_of(model, "a")}},
                                vector, 0);
  for (size_t k = 0; k < 2; ++k) {
    CHECK(vector.row(0)[k] == 0);
    const double mean =
        (2 * a * double{rows.at("a")[k]} + b * double{rows.at("b")[k]}) / (2 * a + b);
    CHECK(vector.row(1)[k] ==
          doctest::Approx((mean - double{model.centre[k]}) * (2 * a + b) / std::sqrt(3)));
  }
}

TEST_CASE("whitened rows of a mean have length 1 and lie on either side of 0") {
  // By frequency two words in one line are ±; each then has length 1.
  WordVectors two = vectors_of({"a", "b"}, {{1, 0}, {0.8F, 0.6F}});
  const SentenceModel model = mean_model(std::move(two), {{"a", 3}, {"b", 1}}, {{}, 0.1, true}, 2);
  const auto rows = rows_of(model);
  double product = 0, length = 0;
  for (size_t k = 0; k < 2; ++k) {
    product += double{rows.at("a")[k]} * double{rows.at("b")[k]};
    length += double{rows.at("a")[k]} * double{rows.at("a")[k]};
  }
  CHECK(product == doctest::Approx(-1));
  CHECK(length == doctest::Approx(1));
}

TEST_CASE("lexical dimensions follow the vectors, and words without one have only these") {
  const std::vector<WordCount> more{{"rare", 1}, {"new", 1}};
  const SentenceModel model =
      mean_model(three(), kCounts, {{}, 0.3, false}, 1, MoreRows{more, 2, 5, 1});
  CHECK(model.columns() == 7);
  CHECK(model.f.rows.rows() == 6);
  const auto rows = rows_of(model);
  CHECK(rows.at("rare")[0] == doctest::Approx(0.6));
  CHECK(length(rows.at("rare").data() + 2, 5) == doctest::Approx(1));
  CHECK(std::exp(rows.at("rare")[7]) == doctest::Approx(0.75));
  for (const float* const row : {rows.at("new").data(), model.f.rows.row(4), model.f.rows.row(5)}) {
    CHECK(length(row, 2) == 0);
    CHECK(length(row, 7) == doctest::Approx(std::sqrt(2)));
    CHECK(row[7] == 0);
  }
  // Σ w p v / Σ w p, as of the other dimensions.
  const double total = 0.25 * 0.9 + 0.75 * 0.1;
  for (size_t k = 0; k < 7; ++k) {
    CHECK(double{model.centre[k]} ==
          doctest::Approx(
              (0.225 * double{rows.at("often")[k]} + 0.075 * double{rows.at("rare")[k]}) / total));
  }
}

TEST_CASE("what means cannot be made of is refused, and words that stand twice count once") {
  const MeanSettings plain{{}, 0.1, false}, white{{}, 0.1, true};
  CHECK_THROWS_AS(mean_model(three(), {{"other", 5}}, plain, 1), Error);
  CHECK_THROWS_AS(mean_model(three(), {{"rare", 0}, {"often", 0}}, plain, 1), Error);
  CHECK_THROWS_AS(mean_model(three(), {{"rare", 7}}, white, 1), Error);  // one word
  const SentenceModel one = mean_model(three(), {{"rare", 7}}, plain, 1);
  CHECK(std::exp(rows_of(one).at("rare")[2]) == doctest::Approx(0.1 / 1.1));

  WordVectors odd = vectors_of({"a", "a", "line\nend", "zero"}, {{1, 0}, {0, 1}, {1, 1}, {0, 0}});
  const auto rows = rows_of(mean_model(std::move(odd), {{"a", 1}, {"zero", 1}}, plain, 1));
  CHECK(rows.size() == 2);
  CHECK(rows.at("a")[0] == 1);
  CHECK(rows.at("zero")[0] == 0);
}

TEST_CASE("counts by rank fall as Zipf's law has it") {
  const std::vector<WordCount> counts = counts_by_rank({"a", "b", "c"});
  REQUIRE(counts.size() == 3);
  CHECK(counts[1].word == "b");
  CHECK(static_cast<double>(counts[0].count) / static_cast<double>(counts[2].count) ==
        doctest::Approx(4.7 / 2.7));
}

TEST_CASE("a model has the mean model's rows, and random ones for words that it lacks") {
  const std::vector<WordCount> own{{"cat", 3}, {"new", 2}, {"dog", 1}};
  const MeanSettings settings{TokenMode::kSpace, kSearchA, true};
  const std::vector<WordCount> known{{"the", 50}, {"cat", 20}, {"dog", 10}};
  const auto copy = [&] { return random_vectors(known, 8, 4); };
  const SentenceModel mean = mean_model(copy(), known, settings, 1);
  const SentenceModel model = mean_model(copy(), known, settings, 1, MoreRows{own});
  CHECK(model.vocabulary.size() == 4);
  CHECK(model.f.rows.rows() == 4 + kUnknownRows);
  CHECK(model.shape.tied);
  CHECK(!model.shape.scaled);
  CHECK(model.centre == mean.centre);
  for (const WordCount& word : known) {
    const float* const row = model.f.rows.row(id_of(model, word.word));
    const float* const same = mean.f.rows.row(id_of(mean, word.word));
    CHECK(std::equal(row, row + 9, same));
  }
  for (const char* const word : {"new", "never"}) {
    const int32_t id = id_of(model, word);
    CHECK(length(model.f.rows.row(id), 8) == doctest::Approx(1));
    CHECK(model.f.rows.row(id)[8] == 0);
  }
  CHECK(id_of(model, "unheard") >= 4);
  CHECK(id_of(model, "unheard") == id_of(model, "unheard"));
  CHECK(id_of(model, "unheard") != id_of(model, "unseen"));
}

}  // namespace acevec::mean_model_test
