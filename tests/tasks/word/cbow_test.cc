// CBOW's step is the gradient of its objective, numerically: the mean's division included.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "tasks/word/block.h"
#include "tasks/word/random_model.h"
#include "tasks/word/reference_trainer.h"

namespace acevec {
namespace {

constexpr int64_t kWindow = 3;
constexpr int64_t kPerPair = 5;

using reference::Rows;

// The mean of the words around token i.
std::vector<double> context_mean(const Rows& v, const Sequence& sequence, size_t i) {
  std::vector<double> mean(kSize, 0.0);
  const auto first = static_cast<size_t>(sequence.first[i]);
  const auto last = static_cast<size_t>(sequence.last[i]);
  for (size_t j = first; j < last; ++j) {
    if (j == i) continue;
    const std::vector<double>& row = v[static_cast<size_t>(sequence.ids[j])];
    for (size_t k = 0; k < kSize; ++k) mean[k] += row[k] / static_cast<double>(last - first - 1);
  }
  return mean;  // zeros where there are none
}

// −log σ(x·u⁺) − K/N Σ log σ(−x·u⁻), or the softmax of the positive among them, per token.
double objective(LossKind kind, const Rows& v, const Rows& u, const Sequence& sequence,
                 int64_t begin, int64_t end, const std::vector<int32_t>& negatives, double q) {
  const double correction = kind == LossKind::kNegativeSampling ? 0
                            : kind == LossKind::kNce            ? std::log(kPerPair * q)
                                                                : std::log(q);
  double loss = 0;
  for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
    const std::vector<double> x = context_mean(v, sequence, i);
    const auto score = [&](int32_t id) {
      return reference::score(x, u[static_cast<size_t>(id)]) - correction;
    };
    const double positive = score(sequence.ids[i]);
    double others = 0;
    for (const int32_t id : negatives) {
      others += kind == LossKind::kRanking ? std::exp(score(id)) : reference::softplus(score(id));
    }
    loss += kind == LossKind::kRanking
                ? std::log(std::exp(positive) + others) - positive
                : reference::softplus(-positive) +
                      kPerPair * others / static_cast<double>(negatives.size());
  }
  return loss;
}

}  // namespace

namespace {

void check_step(LossKind kind, ContextSide side) {
  Random random(11);
  SkipGramModel model = random_model(OptimizerKind::kSgd, random);
  const Sequence sequence = random_sequence(6, kWindow, random, side);
  const std::vector<double> q(kVocabulary, 1.0 / kVocabulary);
  const AliasTable noise(q);
  const auto loss_kind = make_block_loss(kind, q, kPerPair);
  BlockShape shape{16, 24, kWindow, kPerPair, true};
  shape.context_rate = 1.5;
  BlockTrainer trainer({model.words, model.word_moments}, model, noise, shape, *loss_kind, nullptr);
  // From the middle: contexts reach over both ends.
  const int64_t begin = 16;
  const int64_t end = 32;
  Rows v = rows_of(model.words);
  Rows u = rows_of(model.contexts);
  constexpr float kAlpha = 0.01F;
  Loss loss;
  trainer.train(sequence, 0, 0, kAlpha, random, loss);  // an empty block changes nothing
  REQUIRE(rows_of(model.words) == v);
  trainer.train(sequence, begin, end, kAlpha, random, loss);
  const auto at_rows = [&] {
    return objective(kind, v, u, sequence, begin, end, trainer.negatives(), q[0]);
  };
  CHECK(loss.pairs == end - begin);
  CHECK(loss.positive + loss.negative == doctest::Approx(at_rows()).epsilon(1e-5));
  double worst = 0;
  constexpr double kStep = 1e-4;
  for (size_t i = 0; i < kVocabulary; ++i) {
    for (size_t k = 0; k < kSize; ++k) {
      for (const bool in_words : {true, false}) {
        double& number = (in_words ? v : u)[i][k];
        const double old = number;
        number = old + kStep;
        const double more = at_rows();
        number = old - kStep;
        const double less = at_rows();
        number = old;
        const Matrix& matrix = in_words ? model.words : model.contexts;
        const double change = double{matrix.row(static_cast<int64_t>(i))[k]} - old;
        const double rate = in_words ? kAlpha * shape.context_rate : kAlpha;
        worst = std::max(worst, std::abs(change + rate * (more - less) / (2 * kStep)));
      }
    }
  }
  CHECK(worst < 2e-5);
}

}  // namespace

TEST_CASE("CBOW's step is minus the rate times the numerical gradient, its loss the objective") {
  for (const LossKind kind : {LossKind::kNegativeSampling, LossKind::kNce, LossKind::kRanking}) {
    for (const ContextSide side : {ContextSide::kBoth, ContextSide::kBefore}) {
      CAPTURE(static_cast<int>(kind));
      CAPTURE(static_cast<int>(side));
      check_step(kind, side);
    }
  }
}

// Adam's first step is as long in every direction: the gradient's signs are left of it.
TEST_CASE("CBOW's first step with Adam goes where plain steps go") {
  const std::vector<double> q(kVocabulary, 1.0 / kVocabulary);
  const AliasTable noise(q);
  const auto loss_kind = make_block_loss(LossKind::kNegativeSampling, {}, kPerPair);
  Random random(11);
  const Sequence sequence = random_sequence(6, kWindow, random);
  const Random start(7);
  SkipGramModel plain = random_model(OptimizerKind::kSgd, random = start);
  SkipGramModel adam = random_model(OptimizerKind::kAdam, random = start);
  const SkipGramModel before = random_model(OptimizerKind::kSgd, random = start);
  constexpr float kRate = 0.01F;
  const BlockShape shape = block_shape(kWindow, kPerPair, true);
  for (SkipGramModel* const model : {&plain, &adam}) {
    BlockTrainer trainer({model->words, model->word_moments}, *model, noise, shape, *loss_kind,
                         nullptr);
    Loss loss;
    trainer.train(sequence, 0, std::min<int64_t>(sequence.size(), shape.tokens), kRate,
                  random = start, loss);
  }
  double worst = 0;
  int64_t compared = 0;
  for (int64_t i = 0; i < kVocabulary; ++i) {
    for (int64_t k = 0; k < kSize; ++k) {
      for (const auto matrix : {&SkipGramModel::words, &SkipGramModel::contexts}) {
        const float old = (before.*matrix).row(i)[k];
        const float change = (plain.*matrix).row(i)[k] - old;
        if (std::abs(change) < 1e-4) continue;
        const float step = (adam.*matrix).row(i)[k] - old;
        worst = std::max(worst, double{std::abs(step - std::copysign(kRate, change))});
        ++compared;
      }
    }
  }
  CHECK(worst < 1e-5);
  CHECK(compared > kVocabulary * kSize);
}

TEST_CASE("CBOW's blocks leave nothing behind for the next") {
  const std::vector<double> q(kVocabulary, 1.0 / kVocabulary);
  const AliasTable noise(q);
  const auto plain = make_block_loss(LossKind::kNegativeSampling, {}, kPerPair);
  Random random(11);
  const Sequence sequence = random_sequence(8, kWindow, random);
  REQUIRE(sequence.size() >= 48);
  for (const OptimizerKind optimizer : {OptimizerKind::kSgd, OptimizerKind::kAdam}) {
    CAPTURE(static_cast<int>(optimizer));
    // Two blocks of one trainer, or each with a trainer of its own.
    SkipGramModel once = random_model(optimizer, random = Random(9));
    SkipGramModel anew = random_model(optimizer, random = Random(9));
    const BlockShape shape{16, 24, kWindow, kPerPair, true};
    BlockTrainer trainer({once.words, once.word_moments}, once, noise, shape, *plain, nullptr);
    Loss loss;
    Loss loss_anew;
    for (const int64_t begin : {16, 32}) {
      BlockTrainer other({anew.words, anew.word_moments}, anew, noise, shape, *plain, nullptr);
      Random draws(static_cast<uint64_t>(begin));
      trainer.train(sequence, 0, 0, 0.1F, random = draws, loss);
      other.train(sequence, 0, 0, 0.1F, random = draws, loss_anew);
      trainer.train(sequence, begin, begin + 16, 0.1F, random = draws, loss);
      other.train(sequence, begin, begin + 16, 0.1F, random = draws, loss_anew);
      REQUIRE(trainer.negatives() == other.negatives());
    }
    CHECK(rows_of(once.words) == rows_of(anew.words));
    CHECK(rows_of(once.contexts) == rows_of(anew.contexts));
    CHECK(loss.positive == loss_anew.positive);
  }
}

namespace {

// Takes down what it is asked, and does nothing.
class Listener : public BlockAdversary {
 public:
  void prepare(const int32_t* words, int64_t tokens) override {
    words_.assign(words, words + tokens);
  }
  void play(const ScoredBlock& block, Random& /*random*/, const Rewards& /*rewards*/) override {
    played_.assign(block.words, block.words + block.rows);
  }
  void reweight(float* /*weights*/, int64_t /*rows*/, int64_t /*count*/) const override {}
  void save(CheckpointWriter& /*file*/) const override {}
  void load(CheckpointReader& /*file*/) override {}

  std::vector<int32_t> words_, played_;
};

}  // namespace

TEST_CASE("CBOW's adversary goes by the word beside a token and never by the token itself") {
  Random random(5);
  SkipGramModel model = random_model(OptimizerKind::kSgd, random);
  const Sequence sequence = random_sequence(6, kWindow, random);
  const std::vector<double> q(kVocabulary, 1.0 / kVocabulary);
  const AliasTable noise(q);
  const auto plain = make_block_loss(LossKind::kNegativeSampling, {}, kPerPair);
  Listener listener;
  BlockTrainer trainer({model.words, model.word_moments}, model, noise,
                       {256, 24, kWindow, kPerPair, true}, *plain, &listener);
  Loss loss;
  trainer.train(sequence, 0, sequence.size(), 0.01F, random, loss);
  REQUIRE(listener.words_.size() == sequence.ids.size());
  CHECK(listener.played_ == listener.words_);
  for (size_t i = 0; i < sequence.ids.size(); ++i) {
    const bool first = sequence.first[i] == static_cast<int32_t>(i);
    CHECK(listener.words_[i] == sequence.ids[first ? i + 1 : i - 1]);
  }
}

}  // namespace acevec
