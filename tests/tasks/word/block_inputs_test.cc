// The word side of a block against plain loops: what is gathered, and where changes go.

#include "tasks/word/block_inputs.h"

#include <doctest/doctest.h>

#include "tasks/word/random_model.h"

namespace acevec::block_inputs_test {
namespace {

constexpr int64_t kBegin = 5, kEnd = 17;

// Gathers tokens kBegin .. kEnd − 1 of `sequence` and gives each row of X a change. `check` sees
// row i of X and its change.
template <class Check>
void change_rows(BlockInputs& inputs, const Sequence& sequence, int64_t width, Check&& check) {
  inputs.gather(sequence, kBegin, kEnd);
  REQUIRE(inputs.view().count == kEnd - kBegin);
  for (int64_t i = 0; i < kEnd - kBegin; ++i) {
    const float change = 0.001F * static_cast<float>(i + 1);  // shorter than any bound
    for (int64_t k = 0; k < kSize; ++k) inputs.changes()[i * width + k] = change;
    check(i, double{change});
  }
}

void check_rows(const Matrix& matrix, const reference::Rows& wanted) {
  for (size_t i = 0; i < wanted.size(); ++i) {
    for (size_t k = 0; k < wanted[i].size(); ++k) {
      CHECK(std::abs(double{matrix.row(static_cast<int64_t>(i))[k]} - wanted[i][k]) < 1e-6);
    }
  }
}

}  // namespace

TEST_CASE("skip-gram's inputs are the tokens' rows, which move by the sum of their changes") {
  for (const bool copies : {false, true}) {
    CAPTURE(copies);
    Random random(1);
    SkipGramModel model = random_model(OptimizerKind::kSgd, random);
    const Sequence sequence = random_sequence(4, 2, random);
    const auto inputs =
        make_inputs({model.words, model.word_moments}, OptimizerKind::kSgd, {16, 8, 2, 5}, copies);
    reference::Rows wanted = rows_of(model.words);
    constexpr float kRate = 0.5F;
    change_rows(*inputs, sequence, model.words.stride(), [&](int64_t i, double change) {
      const int32_t word = sequence.ids[static_cast<size_t>(kBegin + i)];
      const BlockRows x = inputs->view();
      CHECK(x.ids[i] == word);
      CHECK((inputs->rows() != nullptr) == copies);
      if (copies) CHECK(x.copies[i * model.words.stride() + 7] == model.words.row(word)[7]);
      for (double& number : wanted[static_cast<size_t>(word)]) number += double{kRate} * change;
    });
    inputs->take(kRate);
    check_rows(model.words, wanted);
  }
}

TEST_CASE("CBOW's inputs are the contexts' means, whose rows move by their share of the change") {
  for (const ContextSide side : {ContextSide::kBoth, ContextSide::kBefore}) {
    CAPTURE(static_cast<int>(side));
    Random random(2);
    SkipGramModel model = random_model(OptimizerKind::kSgd, random);
    const Sequence sequence = random_sequence(4, 3, random, side);
    BlockShape shape{16, 8, 3, 5, true};
    shape.context_rate = 1.5;
    const auto inputs =
        make_inputs({model.words, model.word_moments}, OptimizerKind::kSgd, shape, true);
    const reference::Rows before = rows_of(model.words);
    reference::Rows wanted = before;
    change_rows(*inputs, sequence, model.words.stride(), [&](int64_t i, double change) {
      const int64_t token = kBegin + i;
      const auto first = sequence.first[static_cast<size_t>(token)];
      const auto last = sequence.last[static_cast<size_t>(token)];
      double mean = 0;
      for (int64_t j = first; j < last; ++j) {
        if (j == token) continue;
        const auto word = static_cast<size_t>(sequence.ids[static_cast<size_t>(j)]);
        mean += before[word][7] / (last - first - 1);
        for (double& number : wanted[word]) number += 1.5 * change / (last - first - 1);
      }
      CHECK(std::abs(double{inputs->rows()[i * model.words.stride() + 7]} - mean) < 1e-6);
    });
    inputs->take(1);
    check_rows(model.words, wanted);
  }
}

}  // namespace acevec::block_inputs_test
