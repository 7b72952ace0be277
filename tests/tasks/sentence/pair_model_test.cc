// Tests of sentence/pair_model.

#include "tasks/sentence/pair_model.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tasks/sentence/corpus.h"

namespace acevec::pair_model_test {
namespace {

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

TEST_CASE("counts by rank fall as Zipf's law has it") {
  const std::vector<WordCount> counts = counts_by_rank({"a", "b", "c"});
  REQUIRE(counts.size() == 3);
  CHECK(counts[1].word == "b");
  CHECK(static_cast<double>(counts[0].count) / static_cast<double>(counts[2].count) ==
        doctest::Approx(4.7 / 2.7));
}

TEST_CASE("a model has the mean model's rows, and random ones for words that it lacks") {
  const std::vector<WordCount> own{{"cat", 3}, {"new", 2}, {"dog", 1}};
  const PairModelSettings settings{{TokenMode::kSpace, kSearchA, true}};
  const std::vector<WordCount> known{{"the", 50}, {"cat", 20}, {"dog", 10}};
  const auto copy = [&] { return random_vectors(known, 8, 4); };
  const SentenceModel mean = mean_model(copy(), known, settings.mean, 1);
  const SentenceModel model = pair_model(copy(), known, own, settings);
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

}  // namespace acevec::pair_model_test
