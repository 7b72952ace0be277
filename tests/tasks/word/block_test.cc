// The block trainer's step is the gradient of the stated objective, numerically.

#include "tasks/word/block.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include "tasks/word/adversary.h"
#include "tasks/word/random_model.h"
#include "tasks/word/reference_trainer.h"
#include "tasks/word/train_words.h"
#include "temporary_folder.h"

namespace acevec {
namespace {

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double squares = 0;
  for (size_t k = 0; k < a.size(); ++k) squares += (a[k] - b[k]) * (a[k] - b[k]);
  return std::sqrt(squares);
}

double largest(const reference::Rows& rows) {
  double most = 0;
  for (const std::vector<double>& row : rows) {
    for (const double number : row) most = std::max(most, std::abs(number));
  }
  return most;
}

constexpr LossKind kLosses[] = {LossKind::kNegativeSampling, LossKind::kNce, LossKind::kRanking};

std::vector<double> uneven_noise() {
  std::vector<double> noise;
  for (int64_t i = 0; i < kVocabulary; ++i) {
    noise.push_back(2.0 * static_cast<double>(i + 1) / (kVocabulary * (kVocabulary + 1)));
  }
  return noise;
}

// log(K q) or log q, by definition.
reference::Corrections corrections_of(LossKind kind, const std::vector<double>& q,
                                      double per_pair) {
  reference::Corrections corrections;
  if (kind == LossKind::kNegativeSampling) return corrections;
  const double factor = kind == LossKind::kNce ? per_pair : 1;
  for (const double probability : q) corrections.push_back(std::log(factor * probability));
  return corrections;
}

// The objective as docs/losses.md states it.
double reference_loss(LossKind kind, const reference::Rows& v, const reference::Rows& u,
                      const Sequence& sequence, int64_t begin, int64_t end, int64_t window,
                      const std::vector<int32_t>& negatives, double per_pair,
                      const std::vector<double>& q) {
  const reference::Corrections corrections = corrections_of(kind, q, per_pair);
  if (kind == LossKind::kRanking) {
    return reference::ranking_loss(v, u, sequence, begin, end, window, negatives, corrections);
  }
  return reference::positive_loss(v, u, sequence, begin, end, window, corrections) +
         reference::negative_loss(v, u, sequence, begin, end, window, negatives, per_pair,
                                  corrections);
}

// Each of kVocabulary words once.
Corpus corpus_of_all_words(const TemporaryFolder& folder) {
  std::string text;
  for (int64_t i = 0; i < kVocabulary; ++i) text += "w" + std::to_string(i) + ' ';
  Source source(folder.write("text", text));
  CorpusSettings all;
  all.min_count = 1;
  return read_corpus(source, all, [](double, int64_t) {});
}

std::unique_ptr<BlockLoss> negative_sampling() {
  return make_block_loss(LossKind::kNegativeSampling, {}, 5);
}

}  // namespace

TEST_CASE("a block's step is minus alpha times the numerical gradient, its loss the objective") {
  for (const LossKind kind : kLosses) {
    for (const int64_t window : {1, 3, 8}) {
      for (const int64_t per_pair : {1, 5}) {
        CAPTURE(static_cast<int>(kind));
        CAPTURE(window);
        CAPTURE(per_pair);
        Random random(11, epoch_stream(window), per_pair);
        SkipGramModel model = random_model(OptimizerKind::kSgd, random);
        const ContextSide side = per_pair == 1 ? ContextSide::kAfter : ContextSide::kBoth;
        const Sequence sequence = random_sequence(6, window, random, side);
        const std::vector<double> q = uneven_noise();
        const AliasTable noise(q);
        const auto trained = make_block_loss(kind, q, per_pair);
        BlockTrainer trainer({model.words, model.word_moments}, model, noise,
                             {16, 24, window, per_pair}, *trained, nullptr);

        // A block from the middle, so that contexts reach over both of its ends.
        const int64_t begin = 16;
        const int64_t end = 32;
        REQUIRE(sequence.size() > end);
        const reference::Rows v = rows_of(model.words);
        const reference::Rows u = rows_of(model.contexts);
        constexpr float kAlpha = 0.01F;
        Loss loss;
        Random draws(5);
        trainer.train(sequence, 0, 0, kAlpha, draws, loss);  // an empty block changes nothing
        REQUIRE(rows_of(model.words) == v);
        trainer.train(sequence, begin, end, kAlpha, draws, loss);

        const auto objective = [&](const reference::Rows& v_rows, const reference::Rows& u_rows) {
          return reference_loss(kind, v_rows, u_rows, sequence, begin, end, window,
                                trainer.negatives(), static_cast<double>(per_pair), q);
        };
        CHECK(loss.positive + loss.negative == doctest::Approx(objective(v, u)).epsilon(1e-5));
        double pairs = 0;
        for (int64_t i = begin; i < end; ++i) {
          pairs += reference::weight_of_contexts(sequence, static_cast<size_t>(i), window);
        }
        CHECK(loss.pairs == doctest::Approx(pairs).epsilon(1e-6));

        double worst = 0;
        constexpr double kStep = 1e-4;
        reference::Rows v_at = v;
        reference::Rows u_at = u;
        for (size_t i = 0; i < kVocabulary; ++i) {
          for (size_t k = 0; k < kSize; ++k) {
            for (const bool in_words : {true, false}) {
              double& number = (in_words ? v_at : u_at)[i][k];
              const double old = number;
              number = old + kStep;
              const double more = objective(v_at, u_at);
              number = old - kStep;
              const double less = objective(v_at, u_at);
              number = old;
              const Matrix& matrix = in_words ? model.words : model.contexts;
              const double change = double{matrix.row(static_cast<int64_t>(i))[k]} - old;
              worst =
                  std::max(worst, std::abs(change + double{kAlpha} * (more - less) / (2 * kStep)));
            }
          }
        }
        CHECK(worst < 2e-5);
      }
    }
  }
}

TEST_CASE("where log(K q) is 0, nce is negative sampling, to the bit") {
  std::vector<reference::Rows> outcomes;
  for (const LossKind kind : {LossKind::kNegativeSampling, LossKind::kNce}) {
    Random random(7);
    SkipGramModel model = random_model(OptimizerKind::kSgd, random);
    const Sequence sequence = random_sequence(8, 4, random);
    const std::vector<double> q(kVocabulary, 1.0 / kVocabulary);
    const AliasTable noise(q);
    const auto objective = make_block_loss(kind, q, kVocabulary);
    BlockTrainer trainer({model.words, model.word_moments}, model, noise, {16, 24, 4, kVocabulary},
                         *objective, nullptr);
    Loss loss;
    for (int64_t begin = 0; begin < sequence.size(); begin += 16) {
      trainer.train(sequence, begin, std::min(begin + 16, sequence.size()), 0.05F, random, loss);
    }
    outcomes.push_back(rows_of(model.words));
  }
  CHECK(outcomes[0] == outcomes[1]);
}

namespace {

// Of a block of which each row has one gradient.
void check_first_step(OptimizerKind optimizer) {
  Random random(17);
  SkipGramModel model = random_model(optimizer, random);
  // Ids 0 .. 15 are the block's words and contexts, once each; the negatives are other ids.
  Sequence sequence;
  for (int32_t i = 0; i < 16; ++i) {
    sequence.ids.push_back(i);
    sequence.first.push_back(std::max(0, i - 2));
    sequence.last.push_back(std::min(16, i + 3));
  }
  std::vector<double> others(kVocabulary, 0);
  std::fill(others.begin() + 16, others.end(), 1.0 / (kVocabulary - 16));
  const AliasTable noise(others);
  const auto plain = negative_sampling();
  BlockTrainer trainer({model.words, model.word_moments}, model, noise, {16, 24, 2, 5}, *plain,
                       nullptr);
  const reference::Rows v = rows_of(model.words);
  const reference::Rows u = rows_of(model.contexts);
  Loss loss;
  constexpr float kAlpha = 0.001F;
  trainer.train(sequence, 0, 16, kAlpha, random, loss);

  const auto objective = [&](const reference::Rows& v_rows, const reference::Rows& u_rows) {
    return reference::positive_loss(v_rows, u_rows, sequence, 0, 16, 2) +
           reference::negative_loss(v_rows, u_rows, sequence, 0, 16, 2, trainer.negatives(), 5);
  };
  int64_t checked = 0;
  for (size_t i = 0; i < 16; ++i) {
    for (size_t k = 0; k < kSize; ++k) {
      for (const bool in_words : {true, false}) {
        reference::Rows v_more = v;
        reference::Rows u_more = u;
        (in_words ? v_more : u_more)[i][k] += 1e-5;
        const double gradient = (objective(v_more, u_more) - objective(v, u)) / 1e-5;
        if (std::abs(gradient) < 0.01) continue;
        const Matrix& matrix = in_words ? model.words : model.contexts;
        const double change =
            double{matrix.row(static_cast<int64_t>(i))[k]} - (in_words ? v : u)[i][k];
        CHECK(change == doctest::Approx(gradient > 0 ? -kAlpha : kAlpha).epsilon(1e-3));
        ++checked;
      }
    }
  }
  CHECK(checked > 500);
}

}  // namespace

TEST_CASE("Adam's and Adagrad's first steps are the rate times the sign of minus the gradient") {
  check_first_step(OptimizerKind::kAdam);
  check_first_step(OptimizerKind::kAdagrad);
}

TEST_CASE("a step that is too long is bounded, and numbers stay finite") {
  for (const OptimizerKind optimizer : {OptimizerKind::kSgd, OptimizerKind::kAdam}) {
    Random random(3);
    SkipGramModel model = random_model(optimizer, random);
    // Two words over and over: every gradient is taken from the same stale rows.
    Sequence sequence;
    for (int32_t i = 0; i < 200; ++i) {
      sequence.ids.push_back(i % 2);
      sequence.first.push_back(std::max(0, i - 5));
      sequence.last.push_back(std::min(200, i + 6));
    }
    const AliasTable noise({0.5, 0.5});
    const auto plain = negative_sampling();
    BlockTrainer trainer({model.words, model.word_moments}, model, noise, {64, 32, 5, 20}, *plain,
                         nullptr);
    Loss loss;
    double longest = 0;
    for (int round = 0; round < 50; ++round) {
      for (int64_t begin = 0; begin < 200; begin += 64) {
        const reference::Rows words = rows_of(model.words);
        const reference::Rows contexts = rows_of(model.contexts);
        trainer.train(sequence, begin, std::min<int64_t>(begin + 64, 200), 5.0F, random, loss);
        for (size_t i = 0; i < 2; ++i) {
          longest = std::max(longest, distance(words[i], rows_of(model.words)[i]));
          longest = std::max(longest, distance(contexts[i], rows_of(model.contexts)[i]));
        }
      }
    }
    CHECK(longest < 1.0001);
    CHECK(longest > 0.9);
  }
}

TEST_CASE("vocabularies of a few words are learned with every optimizer, and stay small") {
  for (const int32_t words : {2, 5, 20, 50}) {
    // Each word has the next two around it, so that a block of 64 has each word many times.
    Random random(5);
    Sequence sequence;
    constexpr int32_t kTokens = 6400;
    for (int32_t i = 0; i < kTokens; ++i) {
      sequence.ids.push_back((i + static_cast<int32_t>(random.below(3))) % words);
      sequence.first.push_back(std::max(0, i - 3));
      sequence.last.push_back(std::min(kTokens, i + 4));
    }
    const std::vector<double> q(static_cast<size_t>(words), 1.0 / words);
    const AliasTable noise(q);
    std::vector<int32_t> all(static_cast<size_t>(words));
    std::iota(all.begin(), all.end(), 0);
    constexpr int kRounds = 20;
    const auto loss_of = [&](const reference::Rows& v, const reference::Rows& u) {
      return (reference::positive_loss(v, u, sequence, 0, kTokens, 3) +
              reference::negative_loss(v, u, sequence, 0, kTokens, 3, all, 5)) /
             (4 * kTokens);
    };
    const SkipGramModel start(words, kSize, OptimizerKind::kSgd, 1);
    reference::Rows v = rows_of(start.words);
    reference::Rows u = rows_of(start.contexts);
    for (int round = 0; round < kRounds; ++round) {
      reference::train(v, u, sequence, noise, 5, 0.025, random);
    }
    for (const auto& [kind, alpha] :
         {std::pair{OptimizerKind::kSgd, 0.025F}, std::pair{OptimizerKind::kAdam, 0.01F},
          std::pair{OptimizerKind::kAdagrad, 0.1F}}) {
      const OptimizerKind optimizer = kind;  // clang's lambdas cannot capture parts of a pair
      CAPTURE(words);
      CAPTURE(static_cast<int>(optimizer));
      SkipGramModel model(words, kSize, optimizer, 1);
      const auto plain = negative_sampling();
      BlockTrainer trainer({model.words, model.word_moments}, model, noise, block_shape(3, 5),
                           *plain, nullptr);
      Loss loss;
      for (int round = 0; round < kRounds; ++round) {
        for (int64_t begin = 0; begin < kTokens; begin += 64) {
          trainer.train(sequence, begin, begin + 64, alpha, random, loss);
        }
      }
      // Some way above: by the processor's rounding, two words end at 0.97 or 1.21 times that loss.
      CHECK(loss_of(rows_of(model.words), rows_of(model.contexts)) < 1.4 * loss_of(v, u));
      CHECK(largest(rows_of(model.words)) < 3 * largest(v));
      CHECK(largest(rows_of(model.contexts)) < 3 * largest(u));
    }
  }
}

TEST_CASE("numbers that are not finite stop training before anything is written") {
  for (const LossKind kind : kLosses) {
    CAPTURE(static_cast<int>(kind));
    Random random(3);
    SkipGramModel model = random_model(OptimizerKind::kSgd, random);
    const Sequence sequence = random_sequence(2, 3, random);
    model.words.row(sequence.ids[1])[4] = std::numeric_limits<float>::quiet_NaN();
    const reference::Rows before = rows_of(model.contexts);
    const std::vector<double> q = uneven_noise();
    const AliasTable noise(q);
    const auto objective = make_block_loss(kind, q, 5);
    BlockTrainer trainer({model.words, model.word_moments}, model, noise, {16, 16, 3, 5},
                         *objective, nullptr);
    Loss loss;
    trainer.train(sequence, 0, std::min<int64_t>(16, sequence.size()), 0.1F, random, loss);
    CHECK_FALSE(std::isfinite(loss.mean()));
    CHECK(rows_of(model.contexts) == before);
  }
}

TEST_CASE("the adversary's reward is the loss: a negative's, or of its pair when ranked alone") {
  const TemporaryFolder folder;
  const Corpus corpus = corpus_of_all_words(folder);
  AdversarySettings settings = default_adversary();
  settings.sampler = Sampler::kCritic;
  settings.filter_bytes = 0;
  const std::vector<double> q = uneven_noise();
  const AliasTable noise(q);
  for (const LossKind kind : kLosses) {
    CAPTURE(static_cast<int>(kind));
    Random random(3);
    SkipGramModel model = random_model(OptimizerKind::kSgd, random);
    const Sequence sequence = random_sequence(6, 3, random);
    const reference::Rows v = rows_of(model.words);
    const reference::Rows u = rows_of(model.contexts);
    AdversaryState state(skip_gram_with(settings, 3), corpus, unigram_noise(corpus),
                         model.contexts);
    Adversary adversary(state, {16, 24, 3, 5}, {});
    const auto objective = make_block_loss(kind, q, 5);
    BlockTrainer trainer({model.words, model.word_moments}, model, noise, {16, 24, 3, 5},
                         *objective, &adversary);
    Loss loss;
    trainer.train(sequence, 0, 16, 0.01F, random, loss);

    double wanted = 0;  // mean over the block's words and its negatives
    const reference::Corrections corrections = corrections_of(kind, q, 5);
    for (size_t i = 0; i < 16; ++i) {
      for (const int32_t k : trainer.negatives()) {
        const double s = reference::corrected(v, sequence.ids[i], u, k, corrections);
        if (kind != LossKind::kRanking) {
          wanted += reference::softplus(s) / (16 * 24);
          continue;
        }
        const double pairs = sequence.last[i] - sequence.first[i] - 1;
        for (auto j = static_cast<size_t>(sequence.first[i]);
             j < static_cast<size_t>(sequence.last[i]); ++j) {
          if (i == j) continue;
          const double own =
              reference::corrected(v, sequence.ids[i], u, sequence.ids[j], corrections);
          wanted += reference::softplus(s - own) / (pairs * 16 * 24);
        }
      }
    }
    const AdversaryReport report = mean_of(adversary.take_report());
    CHECK(report.rows == 16);
    CHECK(report.noise_loss == doctest::Approx(wanted).epsilon(1e-4));
  }
}

namespace {

// The block of tokens kFirst .. kFirst + 15 is the last of a sequence of blocks of 16 tokens.
constexpr int64_t kFirst = 16 * 32;
constexpr int64_t kNoiseWords = 16 * 24;  // fewer are too few for a mean

// A step's changes of the words of that block, by a trainer that has seen all blocks before it, or
// none.
std::vector<double> changes_of_words(const Sequence& sequence, const AliasTable& noise,
                                     bool has_seen, uint64_t seed) {
  Random start(7);
  SkipGramModel model(kNoiseWords, kSize, OptimizerKind::kSgd, 1);
  fill(model.words, start);
  fill(model.contexts, start);
  const auto plain = negative_sampling();
  BlockTrainer trainer({model.words, model.word_moments}, model, noise, {16, 24, 3, 5}, *plain,
                       nullptr);
  Random draws(seed);
  Loss loss;
  const int64_t before = has_seen ? kFirst : 0;
  trainer.train(sequence, 0, std::min<int64_t>(before, 16), 0, draws, loss);  // at a rate of 0
  for (int64_t begin = 16; begin < before; begin += 16) {
    trainer.train(sequence, begin, begin + 16, 0, draws, loss);
  }
  const reference::Rows old = rows_of(model.words);
  trainer.train(sequence, kFirst, kFirst + 16, 0.01F, draws, loss);
  std::vector<double> changes;
  for (size_t i = 0; i < kVocabulary; ++i) {
    for (size_t k = 0; k < kSize; ++k) {
      changes.push_back(double{model.words.row(static_cast<int64_t>(i))[k]} - old[i][k]);
    }
  }
  return changes;
}

// The mean of the changes over many draws of negatives, and the mean squared distance from it.
struct Drawn {
  std::vector<double> mean;
  double variance = 0;
};

Drawn many_draws(const Sequence& sequence, const AliasTable& noise, bool has_seen) {
  constexpr int kDraws = 200;
  std::vector<std::vector<double>> all;
  Drawn drawn{std::vector<double>(kVocabulary * kSize, 0.0)};
  for (int seed = 0; seed < kDraws; ++seed) {
    all.push_back(changes_of_words(sequence, noise, has_seen, static_cast<uint64_t>(seed)));
    for (size_t k = 0; k < all.back().size(); ++k) drawn.mean[k] += all.back()[k] / kDraws;
  }
  for (const std::vector<double>& one : all) {
    drawn.variance += distance(one, drawn.mean) * distance(one, drawn.mean) / (kDraws - 1);
  }
  return drawn;
}

}  // namespace

TEST_CASE("the mean of earlier negatives lowers the variance of a step, and not its mean") {
  Random random(9);
  const Sequence sequence = random_sequence(80, 3, random);
  REQUIRE(sequence.size() > kFirst + 16);
  const AliasTable noise(std::vector<double>(kNoiseWords, 1.0 / kNoiseWords));
  const Drawn without = many_draws(sequence, noise, false);
  const Drawn with = many_draws(sequence, noise, true);
  CHECK(with.variance < 0.7 * without.variance);
  // Both means are over 200 draws.
  CHECK(distance(with.mean, without.mean) <
        2 * std::sqrt((with.variance + without.variance) / 200));
}

TEST_CASE("the number of shared negatives grows with the negatives per pair") {
  CHECK(block_shape(5, 5).negatives == 32);
  CHECK(block_shape(5, 1).negatives >= 8);
  CHECK(block_shape(5, 20).negatives == 128);
}

}  // namespace acevec
