// The adversary over the whole vocabulary: what it draws, what its negatives do to a block, and
// that it never does harm to numbers.

#include "tasks/word/adversary.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>
#include "tasks/word/block.h"
#include "tasks/word/reference_trainer.h"
#include "tasks/word/topic_training.h"

namespace acevec::full_adversary_test {
namespace {

constexpr int64_t kVocabulary = 40;  // of topic_text()
constexpr int64_t kSize = 16;

AdversarySettings full_softmax() {
  AdversarySettings settings = learned_adversary();
  settings.softmax = AdversarySettings::Softmax::kFull;
  settings.every = 1;
  return settings;
}

void fill(Matrix& matrix, float range, Random& random) {
  for (int64_t i = 0; i < matrix.rows(); ++i) {
    for (int64_t k = 0; k < matrix.columns(); ++k) {
      matrix.row(i)[k] = range * (random.uniform() - 0.5F);
    }
  }
}

// A corpus, a random model for it, and what an adversary needs besides.
struct Scene {
  TemporaryFolder folder;
  Corpus corpus;
  SkipGramModel model;
  std::vector<double> noise;
  AliasTable noise_table;
  AdversaryState state;
  FullState full;

  explicit Scene(const AdversarySettings& settings, const std::string& text = topic_text())
      : corpus(read_text(folder, text)),
        model(corpus.vocabulary().size(), kSize, OptimizerKind::kSgd, 1),
        noise(noise_distribution({}, corpus.vocabulary().counts()).probabilities),
        noise_table(noise),
        state(skip_gram_with(settings, 5), corpus, noise, model.contexts),
        full(noise, noise_table) {
    Random random(9);
    fill(model.words, 2, random);
    fill(model.contexts, 2, random);
    if (!state.generator) return;
    Matrix& outputs = state.generator->outputs;  // biases excepted
    for (int64_t y = 0; y < outputs.rows(); ++y) {
      for (int64_t k = 0; k + 1 < outputs.columns(); ++k) outputs.row(y)[k] = random.uniform();
    }
  }

  FullAdversary adversary(int thread = 0, int threads = 1) {
    return {state, full, model, {thread, threads}, Random(7)};
  }

  double score(int32_t x, int32_t y) const {
    double sum = 0;
    for (int64_t k = 0; k < kSize; ++k) {
      sum += double{model.words.row(x)[k]} * double{model.contexts.row(y)[k]};
    }
    return sum;
  }
};

// p(y) exp(β s + h · w_y) of every word for x; 0 where the pair was observed.
std::vector<double> unnormalised(Scene& scene, int32_t x) {
  std::vector<double> g;
  const float* h = nullptr;
  std::optional<Generator> generator;
  if (scene.state.generator) {
    generator.emplace(*scene.state.generator, 1, 1);
    h = generator->hidden(scene.model.contexts.row(x), 1);
  }
  for (int32_t y = 0; y < scene.corpus.vocabulary().size(); ++y) {
    double logit = scene.state.settings.beta * scene.score(x, y);
    for (int64_t k = 0; generator && k < scene.state.settings.hidden.back(); ++k) {
      logit += double{h[k]} * double{scene.state.generator->outputs.row(y)[k]};
    }
    uint8_t observed = 0;
    if (scene.state.observed) scene.state.observed->find_all(&x, 1, &y, 1, &observed);
    g.push_back(observed != 0 ? 0 : scene.noise[static_cast<size_t>(y)] * std::exp(logit));
  }
  return g;
}

}  // namespace

TEST_CASE("negatives are drawn from the softmax over the unobserved words") {
  for (const Sampler sampler : {Sampler::kCritic, Sampler::kLearned}) {
    CAPTURE(sampler == Sampler::kCritic);
    AdversarySettings settings = full_softmax();
    settings.sampler = sampler;
    settings.lambda = 0;  // plays in every block
    settings.optimizer.rate = 0;
    Scene scene(settings);
    REQUIRE(scene.corpus.vocabulary().size() == kVocabulary);
    const int32_t word = 3;
    std::vector<double> g = unnormalised(scene, word);
    double sum = 0;
    for (const double weight : g) sum += weight;
    REQUIRE(std::count(g.begin(), g.end(), 0.0) > 10);

    // A turn in each block, so that each negative is a draw of its own.
    FullAdversary adversary = scene.adversary();
    constexpr int kTurns = 20000;
    double draws = 0;
    std::vector<double> counts(kVocabulary, 0);
    for (int turn = 0; turn < kTurns; ++turn) {
      adversary.prepare(&word, 1);
      if (adversary.own_draws()->rows.empty())
        continue;  // all that was drawn for the pool was observed
      REQUIRE(adversary.own_draws()->rows == std::vector<int32_t>{0});
      ++draws;
      ++counts[static_cast<size_t>(adversary.own_draws()->ids[0])];
    }
    REQUIRE(draws > kTurns / 2);
    double chi_square = 0;
    for (size_t y = 0; y < g.size(); ++y) {
      const double wanted = draws * g[y] / sum;
      if (wanted == 0) CHECK(counts[y] == 0);
      if (wanted > 0) chi_square += (counts[y] - wanted) * (counts[y] - wanted) / wanted;
    }
    CHECK(chi_square < 50);  // at most 23 degrees of freedom: probability 1e-3
    CHECK(adversary.take_report().rows == kTurns);
    CHECK(adversary.take_report().rows == 0);
  }
}

TEST_CASE("a turn is for the words that most tokens have waited for, of the thread's own") {
  std::string text;
  for (int word = 0; word < 100; ++word) text += "w" + std::to_string(word) + "\n";
  AdversarySettings settings = full_softmax();
  settings.sampler = Sampler::kCritic;
  settings.lambda = 0;
  Scene scene(settings, text);
  REQUIRE(FullAdversary::words_in_turn(100) == 64);
  FullAdversary adversary = scene.adversary();
  std::vector<int32_t> words;
  for (int32_t word = 0; word < 100; ++word) words.push_back(word);
  words.push_back(99);
  adversary.prepare(words.data(), 101);  // 99 waits for twice, and of the others the first 63
  CHECK(adversary.own_draws()->rows.size() == 65);
  CHECK(adversary.own_draws()->rows.back() == 100);
  CHECK(adversary.own_draws()->rows[62] == 62);
  CHECK(adversary.own_draws()->rows[63] == 99);
  const int32_t other = 0;
  adversary.prepare(&other, 1);  // the turn goes to the 36 that have waited for longer, and to this
  adversary.prepare(words.data(), 100);
  CHECK(adversary.own_draws()->rows.size() == 100);

  Scene shared(settings, text);
  FullAdversary second = shared.adversary(1, 2);
  second.prepare(words.data(), 100);
  REQUIRE(adversary.own_draws()->rows.size() > 40);
  for (const int32_t row : second.own_draws()->rows) CHECK(row % 2 == 1);
}

TEST_CASE("what is learned about observed pairs holds for every part of a large vocabulary") {
  std::string text;
  for (int word = 0; word < 700; ++word) {
    text += "w" + std::to_string(word) + (word % 2 == 0 ? ' ' : '\n');
  }
  AdversarySettings settings = full_softmax();
  settings.lambda = 0;
  settings.beta = 1;
  settings.optimizer.rate = 0.1F;
  Scene scene(settings, text);
  // A word whose only partner is far down, and which the critic likes best by far.
  int32_t x = 0;
  int32_t y = 0;
  for (uint8_t observed = 0; observed == 0; x += observed == 0 ? 1 : 0) {
    for (y = 600; y < 700 && observed == 0; y += observed == 0 ? 1 : 0) {
      scene.state.observed->find_all(&x, 1, &y, 1, &observed);
    }
  }
  for (int64_t k = 0; k < kSize; ++k) {
    scene.model.words.row(x)[k] = 1;
    scene.model.contexts.row(y)[k] = 0.75F;
  }
  FullAdversary adversary = scene.adversary();
  adversary.prepare(&x, 1);
  const double before = adversary.take_report().observed;
  CHECK(before > 0.9);
  for (int turn = 0; turn < 200; ++turn) adversary.prepare(&x, 1);
  adversary.take_report();
  adversary.prepare(&x, 1);
  CHECK(adversary.take_report().observed < 0.1);
}

TEST_CASE("what a turn takes in memory is bounded") {
  CHECK(FullAdversary::words_in_turn(10) == 10);
  CHECK(FullAdversary::words_in_turn(1000) == 64);
  CHECK(FullAdversary::words_in_turn(2000000000) == 1);
  CHECK(FullAdversary::words_in_turn(150000) * 3 * 150000 * kFloatSize <= 22 << 20);
}

TEST_CASE("a block's step is minus alpha times the gradient of the mixture with own negatives") {
  AdversarySettings settings = full_softmax();
  settings.lambda = 0.4;
  settings.filter_bytes = 0;
  settings.optimizer.rate = 0;
  settings.rare = 20;
  Scene scene(settings);
  SkipGramModel& model = scene.model;
  FullAdversary adversary = scene.adversary(0, 2);  // pools for even words only
  constexpr int64_t kTokens = 16;
  constexpr int64_t kPerPair = 3;
  constexpr int64_t kWindow = 3;
  const auto loss_kind = make_block_loss(LossKind::kNegativeSampling, scene.noise, kPerPair);
  BlockTrainer trainer({model.words, model.word_moments}, model, scene.noise_table,
                       {kTokens, 24, kWindow, kPerPair}, *loss_kind, &adversary);
  Random random(5);
  Sequence sequence;
  for (int32_t i = 0; i < kTokens; ++i) {
    sequence.ids.push_back(static_cast<int32_t>(random.below(kVocabulary)));
    sequence.first.push_back(std::max(0, i - 1 - i % 3));
    sequence.last.push_back(std::min<int32_t>(kTokens, i + 2 + i % 3));
  }
  const auto rows_of = [](const Matrix& matrix) {
    reference::Rows rows;
    for (int64_t i = 0; i < matrix.rows(); ++i) {
      rows.emplace_back(matrix.row(i), matrix.row(i) + matrix.columns());
    }
    return rows;
  };
  const reference::Rows v = rows_of(model.words);
  const reference::Rows u = rows_of(model.contexts);
  constexpr float kAlpha = 0.01F;
  Loss loss;
  trainer.train(sequence, 0, kTokens, kAlpha, random, loss);
  REQUIRE(!adversary.own_draws()->rows.empty());
  REQUIRE(adversary.own_draws()->rows.size() < kTokens);

  const auto noise_and_own = [&](const reference::Rows& words, const reference::Rows& contexts) {
    double sum = 0;
    size_t next = 0;  // of the tokens with negatives of their own
    for (size_t i = 0; i < kTokens; ++i) {
      const std::vector<double>& x = words[static_cast<size_t>(sequence.ids[i])];
      const double weight =
          reference::weight_of_contexts(sequence, i, kWindow) * static_cast<double>(kPerPair);
      const auto softplus = [&](int32_t y) {
        return reference::softplus(reference::score(x, contexts[static_cast<size_t>(y)]));
      };
      const bool own = next < adversary.own_draws()->rows.size() &&
                       adversary.own_draws()->rows[next] == static_cast<int32_t>(i);
      const auto count = static_cast<double>(scene.corpus.vocabulary().count(sequence.ids[i]));
      const double adversarial = own ? 0.6 * count / (count + 20) : 0;
      for (const int32_t y : trainer.negatives()) {
        sum += weight * (1 - adversarial) / 24 * softplus(y);
      }
      if (own) sum += weight * adversarial * softplus(adversary.own_draws()->ids[next++]);
    }
    return sum;
  };
  const auto objective = [&](const reference::Rows& words, const reference::Rows& contexts) {
    return reference::positive_loss(words, contexts, sequence, 0, kTokens, kWindow) +
           noise_and_own(words, contexts);
  };
  double worst = 0;
  constexpr double kStep = 1e-4;
  for (size_t i = 0; i < kVocabulary; ++i) {
    for (size_t k = 0; k < kSize; ++k) {
      for (const bool in_words : {true, false}) {
        reference::Rows v_more = v;
        reference::Rows u_more = u;
        reference::Rows v_less = v;
        reference::Rows u_less = u;
        (in_words ? v_more : u_more)[i][k] += kStep;
        (in_words ? v_less : u_less)[i][k] -= kStep;
        const double gradient =
            (objective(v_more, u_more) - objective(v_less, u_less)) / (2 * kStep);
        const Matrix& matrix = in_words ? model.words : model.contexts;
        const double change =
            double{matrix.row(static_cast<int64_t>(i))[k]} - (in_words ? v : u)[i][k];
        worst = std::max(worst, std::abs(change + double{kAlpha} * gradient));
      }
    }
  }
  CHECK(worst < 2e-5);
  // What is reported is the loss on positives and noise, comparable with and without adversary.
  CHECK(loss.positive + loss.negative ==
        doctest::Approx(reference::positive_loss(v, u, sequence, 0, kTokens, kWindow) +
                        reference::negative_loss(v, u, sequence, 0, kTokens, kWindow,
                                                 trainer.negatives(), double{kPerPair}))
            .epsilon(1e-5));
}

TEST_CASE("over many blocks noise and own negatives have the mixture's weights") {
  for (const double lambda : {0.0, 0.4, 0.6, 0.75, 0.9, 0.98, 1.0}) {
    CAPTURE(lambda);
    AdversarySettings settings = full_softmax();
    settings.sampler = Sampler::kCritic;
    settings.lambda = lambda;
    settings.filter_bytes = 0;
    Scene scene(settings);
    FullAdversary adversary = scene.adversary();
    const std::vector<int32_t> words{1, kVocabulary - 1};
    const auto count = static_cast<double>(scene.corpus.vocabulary().count(words[1]));
    const double trust = count / (count + settings.rare);
    double noise = 0;
    double own = 0;
    constexpr int kBlocks = 840;  // whole periods of any length up to 8
    for (int block = 0; block < kBlocks; ++block) {
      adversary.prepare(words.data(), 2);
      std::vector<float> gradients{1.0F, 1.0F, 1.0F, 1.0F};
      adversary.reweight(gradients.data(), 2, 2);
      CHECK(gradients[2] == gradients[3]);
      CHECK(gradients[2] >= gradients[0]);
      CHECK(gradients[0] >= 0);
      noise += double{gradients[2]} / kBlocks;
      if (!adversary.own_draws()->rows.empty())
        own += double{adversary.own_draws()->weights[1]} / kBlocks;
    }
    CHECK(noise == doctest::Approx(1 - (1 - lambda) * trust).epsilon(1e-4));
    CHECK(own == doctest::Approx((1 - lambda) * trust).epsilon(1e-4));
  }
}

TEST_CASE("over all words, too, one thread and one seed give the same bytes") {
  const TemporaryFolder folder;
  const Corpus corpus = read_text(folder, topic_text());
  for (const OptimizerKind optimizer : {OptimizerKind::kSgd, OptimizerKind::kAdam}) {
    AdversarySettings adversary = full_softmax();
    adversary.every = 3;
    const auto vectors = [&](bool with) {
      WordSettings settings = settings_with(adversary, 1);
      settings.optimizer = optimizer;
      if (!with) settings.adversary.reset();
      return train(corpus, settings);
    };
    const SkipGramModel a = vectors(true);
    CHECK(equal(a.words, vectors(true).words));
    const SkipGramModel noise_only = vectors(false);
    CHECK(!equal(a.words, noise_only.words));
    adversary.lambda = 1;  // without ACE, to the bit
    CHECK(equal(vectors(true).words, noise_only.words));
    adversary.lambda = 0;
    adversary.filter_bytes = 8;  // full: everything seems observed, and the noise stays as it is
    CHECK(equal(vectors(true).words, noise_only.words));
  }
}

TEST_CASE("over all words every way to learn and every corner stays finite") {
  const TemporaryFolder folder;
  const Corpus corpus = read_text(folder, topic_text());
  std::vector<AdversarySettings> corners = corners_of(full_softmax(), 50);
  corners.push_back(full_softmax());
  corners.back().sampler = Sampler::kCritic;
  corners.back().beta = 100;
  corners.push_back(full_softmax());
  corners.back().filter_bytes = 8;  // a full filter
  for (const AdversarySettings& corner : corners) {
    CAPTURE(&corner - corners.data());
    check_stays_finite(corpus, corner, double{kVocabulary});
  }
}

TEST_CASE("a generator of NaN leaves the noise") {
  AdversarySettings settings = full_softmax();
  settings.lambda = 0;
  Scene scene(settings);
  for (int64_t y = 0; y < kVocabulary; ++y) {
    scene.state.generator->outputs.row(y)[0] = std::nanf("");
  }
  FullAdversary adversary = scene.adversary();
  const int32_t word = 1;
  adversary.prepare(&word, 1);
  CHECK(adversary.own_draws()->rows.empty());
  std::vector<float> gradients{3.0F, 4.0F};
  adversary.reweight(gradients.data(), 2, 2);
  CHECK(gradients == std::vector<float>{3.0F, 4.0F});
  CHECK(adversary.take_report().adversarial_loss == 0);
}

TEST_CASE("over all words the generator learns to keep away from observed pairs") {
  const TemporaryFolder folder;
  const Corpus corpus = read_text(folder, topic_text());
  AdversarySettings settings = full_softmax();
  settings.optimizer.rate = 0.01F;
  TrainingResult learned;
  train(corpus, settings_with(settings, 1), &learned);
  settings.sampler = Sampler::kCritic;
  TrainingResult critic;
  train(corpus, settings_with(settings, 1), &critic);
  CHECK(critic.adversary.observed > 0.4);
  CHECK(learned.adversary.observed < 0.25);
}

}  // namespace acevec::full_adversary_test
