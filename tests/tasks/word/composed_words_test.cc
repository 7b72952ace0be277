// Words composed of subwords, and that what is learned reaches their rows.

#include "tasks/word/composed_words.h"

#include <doctest/doctest.h>

#include <vector>

#include "tasks/word/model.h"

namespace acevec::composed_words_test {
namespace {

constexpr int64_t kSize = 20;
constexpr SubwordShape kShape{3, 4, 1000};

Vocabulary vocabulary() {
  return {{{"running", 9}, {"runner", 7}, {"aaaaaaaaaa", 5}, {"cat", 3}, {"x", 1}}, 1, 0};
}

SkipGramModel model() {
  const Vocabulary words = vocabulary();
  SkipGramModel model(words.size(), kSize, OptimizerKind::kSgd, 3, SubwordIndex(words, kShape));
  Random random(4);
  for (int64_t i = 0; i < model.words.rows(); ++i) {
    for (int64_t k = 0; k < kSize; ++k) model.words.row(i)[k] = random.uniform() - 0.5F;
  }
  return model;
}

// By definition.
double mean(const SkipGramModel& model, int64_t word, int64_t k) {
  double sum = 0;
  const auto rows = model.subwords->rows_of(word);
  for (const int32_t row : rows) sum += double{model.words.row(row)[k]};
  return sum / static_cast<double>(rows.size());
}

Sequence sequence_of(const std::vector<int32_t>& ids) {
  Sequence sequence;
  sequence.ids = ids;
  return sequence;
}

}  // namespace

TEST_CASE("composed words are means, and what one alone learns is what its mean moves by") {
  SkipGramModel trained = model();
  const SkipGramModel before = model();
  ComposedWords words(*trained.subwords, trained.words, trained.word_moments);
  Sequence sequence = sequence_of({0, 2, 0});
  words.compose(sequence, 0, 3);
  CHECK(sequence.rows == std::vector<int32_t>{0, 1, 0});
  for (int64_t k = 0; k < kSize; ++k) {
    CHECK(double{words.rows().matrix.row(0)[k]} == doctest::Approx(mean(before, 0, k)));
    CHECK(double{words.rows().matrix.row(1)[k]} == doctest::Approx(mean(before, 2, k)));
    words.rows().matrix.row(1)[k] += 0.25F;
  }
  words.distribute_changes();
  for (int64_t k = 0; k < kSize; ++k) {
    CHECK(mean(trained, 2, k) == doctest::Approx(mean(before, 2, k) + 0.25).epsilon(1e-4));
    CHECK(mean(trained, 3, k) == doctest::Approx(mean(before, 3, k)));  // shares no n-gram
  }
}

TEST_CASE("a change is distributed less what others have moved the word by since") {
  SkipGramModel trained = model();
  const SkipGramModel before = model();
  ComposedWords words(*trained.subwords, trained.words, trained.word_moments);
  Sequence sequence = sequence_of({0, 0, 0, 0, 0});
  words.compose(sequence, 0, 5);
  for (int64_t k = 0; k < kSize; ++k) {
    words.rows().matrix.row(0)[k] += 0.5F;
    for (const int32_t row : trained.subwords->rows_of(0)) trained.words.row(row)[k] += 0.1F;
  }
  const double drift = mean(trained, 0, 0) - mean(before, 0, 0);
  words.distribute_changes();
  const double expected = mean(before, 0, 0) + drift + 0.5 - 5.0 / 25.0 * drift;
  CHECK(mean(trained, 0, 0) == doctest::Approx(expected).epsilon(1e-4));
}

TEST_CASE("rows found for given vectors give them back") {
  SkipGramModel start = model();
  std::vector<std::vector<float>> wanted;
  for (const int32_t word : {0, 1, 3}) {
    wanted.emplace_back(start.words.row(word), start.words.row(word) + kSize);
  }
  decompose(*start.subwords, {0, 1, 3}, start.words);
  const Matrix composed = compose_all(*start.subwords, start.words);
  size_t at = 0;
  for (const int32_t word : {0, 1, 3}) {
    for (int64_t k = 0; k < kSize; ++k) {
      CHECK(composed.row(word)[k] ==
            doctest::Approx(wanted[at][static_cast<size_t>(k)]).epsilon(1e-3));
    }
    ++at;
  }
}

}  // namespace acevec::composed_words_test
