// The adversary on skip-gram's blocks: what it does to gradients, what it learns, and that it never
// does harm to numbers.

#include "tasks/word/adversary.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/logistic_loss.h"
#include "kernels/policy_kernels.h"
#include "tasks/word/topic_training.h"

namespace acevec {
namespace {

// With the reward of negative sampling, −log σ(−s).
void play(Adversary& adversary, const ScoredBlock& block, Random& random) {
  adversary.play(block, random, [&](float* losses) {
    negative_losses(block.scores, block.rows * block.count, losses);
  });
}

}  // namespace

TEST_CASE("the critic's mixture: lambda of the noise, the rest to unobserved hard candidates") {
  const TemporaryFolder folder;
  const Corpus corpus = read_text(folder, "a b c\nd e f\nd e f\n");
  AdversarySettings settings = default_adversary();
  settings.sampler = Sampler::kCritic;
  settings.lambda = 0.25;
  settings.rare = 0;
  settings.beta = 1;
  settings.force = 0;
  const Matrix table(corpus.vocabulary().size(), 16);
  AdversaryState state(skip_gram_with(settings, 5), corpus, unigram_noise(corpus), table);
  REQUIRE(corpus.vocabulary().word(0) == "d");  // ids: d e f a b c
  Adversary adversary(state, {2, 3, 5, 5}, {});
  const std::vector<int32_t> words{0, 3};
  const std::vector<int32_t> candidates{1, 4, 5};  // e, b, c: e was seen with d; b and c with a
  const std::vector<float> scores{9.0F, 1.0F, 0.0F, -1.0F, 2.0F, 3.0F};
  Random random(1);
  play(adversary, {words.data(), 2, candidates.data(), 3, scores.data()}, random);
  std::vector<float> gradients(6, 1.0F);
  adversary.reweight(gradients.data(), 2, 3);

  const double noise = 0.25;
  const double share = 0.75 * 3;
  const double odds = std::exp(1.0);  // of b against c for d
  CHECK(double{gradients[0]} == doctest::Approx(noise));
  CHECK(double{gradients[1]} == doctest::Approx(noise + share * odds / (1 + odds)));
  CHECK(double{gradients[2]} == doctest::Approx(noise + share / (1 + odds)));
  CHECK(double{gradients[3]} == doctest::Approx(noise + share));
  CHECK(double{gradients[4]} == doctest::Approx(noise));
  CHECK(double{gradients[5]} == doctest::Approx(noise));
}

TEST_CASE("with a force of 1 a word is pushed as far as by the noise") {
  const TemporaryFolder folder;
  const Corpus corpus = read_text(folder, "a b c\nd e f\nd e f\nd e f\n");
  AdversarySettings settings = default_adversary();
  settings.sampler = Sampler::kCritic;
  settings.lambda = 0.4;
  settings.rare = 0;
  settings.force = 1;
  const Matrix table(corpus.vocabulary().size(), 16);
  AdversaryState state(skip_gram_with(settings, 5), corpus, unigram_noise(corpus), table);
  Adversary adversary(state, {2, 4, 5, 5}, {});
  const std::vector<int32_t> words{0, 3};  // d and a
  const std::vector<int32_t> candidates{0, 1, 2,
                                        5};  // none but c was seen with a, none but c not with d
  const std::vector<float> scores{0.0F, 1.0F, 2.0F, 3.0F, -1.0F, 0.5F, 1.0F, 2.0F};
  Random random(1);
  play(adversary, {words.data(), 2, candidates.data(), 4, scores.data()}, random);
  std::vector<float> gradients{-1.0F, -2.0F, -3.0F, -4.0F, -1.0F, -1.5F, -2.0F, -2.5F};
  const std::vector<float> noise = gradients;
  adversary.reweight(gradients.data(), 2, 4);
  double sum = 0;
  double along = 0;  // by the candidates' mean scores, −0.5, 0.75, 1.5, 2.5
  for (size_t k = 0; k < 4; ++k) {
    const double change = double{gradients[4 + k]} - double{noise[4 + k]};
    sum += change;
    along += change * (double{scores[k]} + double{scores[4 + k]}) / 2;
  }
  CHECK(sum == doctest::Approx(0).scale(1).epsilon(1e-5));
  CHECK(along == doctest::Approx(0).scale(1).epsilon(1e-5));
  CHECK(gradients[6] != noise[6]);
}

TEST_CASE("the adversary plays in a few blocks with all its weight") {
  const auto check = [](double lambda, int64_t period, bool keeps_gradient) {
    CAPTURE(lambda);
    CAPTURE(keeps_gradient);
    const Mixture mixture(lambda, keeps_gradient);
    CHECK(mixture.period == period);
    CHECK(mixture.adversarial == doctest::Approx((1 - lambda) * static_cast<double>(period)));
  };
  for (const bool keeps_gradient : {true, false}) {
    check(0, 1, keeps_gradient);
    check(0.5, 1, keeps_gradient);
    check(0.65, 2, keeps_gradient);
    check(1, 8, keeps_gradient);
  }
  check(0.6, 2, true);
  check(0.6, 1, false);
  check(0.7, 3, true);
  check(0.7, 2, false);
  check(0.75, 3, true);
  check(0.75, 2, false);
  check(0.9, 8, true);
  check(0.9, 7, false);
}

TEST_CASE("the mean of many blocks is the mixture, less adversarial for rare words") {
  const TemporaryFolder folder;
  const Corpus corpus = read_text(folder, topic_text());
  const Matrix table(corpus.vocabulary().size(), 16);
  const std::vector<int32_t> words{0, static_cast<int32_t>(corpus.vocabulary().size() - 1)};
  const std::vector<int32_t> candidates{2, 3, 4, 5};
  const std::vector<float> scores{1.0F, 0.0F, -1.0F, 2.0F, 0.5F, 0.0F, 1.5F, -2.0F};
  for (const double lambda : {0.0, 0.4, 0.6, 0.75, 0.9, 0.98, 1.0}) {
    CAPTURE(lambda);
    AdversarySettings settings = default_adversary();
    settings.sampler = Sampler::kCritic;
    settings.lambda = lambda;
    settings.beta = 1;
    settings.force = 0;
    settings.filter_bytes = 0;
    AdversaryState state(skip_gram_with(settings, 5), corpus, unigram_noise(corpus), table);
    Adversary adversary(state, {2, 4, 5, 5}, {});
    Random random(1);
    constexpr int kBlocks = 840;  // whole periods of any length up to 8
    std::vector<double> sums(8, 0);
    for (int block = 0; block < kBlocks; ++block) {
      play(adversary, {words.data(), 2, candidates.data(), 4, scores.data()}, random);
      std::vector<float> gradients(8, 1.0F);
      adversary.reweight(gradients.data(), 2, 4);
      for (size_t i = 0; i < 8; ++i) {
        CHECK(gradients[i] >= 0);
        sums[i] += double{gradients[i]} / kBlocks;
      }
    }
    for (size_t i = 0; i < 8; ++i) {
      const size_t row = i / 4;
      const auto count = static_cast<double>(corpus.vocabulary().count(words[row]));
      const double trust = count / (count + 20);
      double normaliser = 0;
      for (size_t k = 4 * row; k < 4 * row + 4; ++k) normaliser += std::exp(double{scores[k]});
      const double g = std::exp(double{scores[i]}) / normaliser;
      const double adversarial = (1 - lambda) * trust;
      CHECK(sums[i] == doctest::Approx(1 - adversarial + adversarial * 4 * g).epsilon(1e-4));
    }
  }
}

TEST_CASE("where every candidate is a false negative the noise stays as it is") {
  const TemporaryFolder folder;
  const Corpus corpus = read_text(folder, "a b c\n");
  AdversarySettings settings = default_adversary();
  settings.lambda = 0;
  const Matrix table(corpus.vocabulary().size(), 16);
  AdversaryState state(skip_gram_with(settings, 5), corpus, unigram_noise(corpus), table);
  Adversary adversary(state, {1, 2, 5, 5}, {});
  const std::vector<int32_t> words{0};
  const std::vector<int32_t> candidates{1, 2};
  const std::vector<float> scores{1.0F, 2.0F};
  Random random(1);
  play(adversary, {words.data(), 1, candidates.data(), 2, scores.data()}, random);
  std::vector<float> gradients{3.0F, 4.0F};
  adversary.reweight(gradients.data(), 1, 2);
  CHECK(gradients == std::vector<float>{3.0F, 4.0F});
}

TEST_CASE("the generator begins as the critic") {
  const TemporaryFolder folder;
  const Corpus corpus = read_text(folder, topic_text());
  const std::vector<int32_t> words{0, 1, 2, 3};
  const std::vector<int32_t> candidates{4, 5, 6, 7, 8};
  std::vector<float> scores(20);
  Random random(8);
  for (float& score : scores) score = 4 * random.uniform() - 2;
  std::vector<std::vector<float>> outcomes;
  for (const auto sampler : {Sampler::kCritic, Sampler::kLearned}) {
    AdversarySettings settings = default_adversary();
    settings.sampler = sampler;
    settings.filter_bytes = 0;
    const Matrix table(corpus.vocabulary().size(), 16);
    AdversaryState state(skip_gram_with(settings, 5), corpus, unigram_noise(corpus), table);
    Adversary adversary(state, {4, 5, 5, 5}, {});
    play(adversary, {words.data(), 4, candidates.data(), 5, scores.data()}, random);
    std::vector<float>& gradients = outcomes.emplace_back(20, 1.0F);
    adversary.reweight(gradients.data(), 4, 5);
  }
  for (size_t i = 0; i < 20; ++i) {
    CHECK(double{outcomes[0][i]} == doctest::Approx(double{outcomes[1][i]}).epsilon(1e-5));
  }
}

TEST_CASE("rewards of another loss take the place of the negatives' losses, in turns only") {
  const TemporaryFolder folder;
  const Corpus corpus = read_text(folder, topic_text());
  AdversarySettings settings = default_adversary();
  settings.filter_bytes = 0;
  settings.every = 2;
  settings.lambda = 0;
  const Matrix table(corpus.vocabulary().size(), 16);
  AdversaryState state(skip_gram_with(settings, 5), corpus, unigram_noise(corpus), table);
  Adversary adversary(state, {1, 2, 5, 5}, {});
  const std::vector<int32_t> words{0};
  const std::vector<int32_t> candidates{4, 5};
  const std::vector<float> scores{0.0F, 0.0F};
  Random random(1);
  int calls = 0;
  for (int block = 0; block < 4; ++block) {
    adversary.play({words.data(), 1, candidates.data(), 2, scores.data()}, random,
                   [&](float* losses) {
                     ++calls;
                     losses[0] = 7;
                     losses[1] = 9;
                   });
  }
  CHECK(calls == 2);
  CHECK(mean_of(adversary.take_report()).noise_loss == doctest::Approx(8));
}

TEST_CASE("with every loss the adversary learns and changes the vectors, and they stay finite") {
  const TemporaryFolder folder;
  const Corpus corpus = read_text(folder, topic_text());
  AdversarySettings adversary = learned_adversary();
  adversary.lambda = 0.25;
  for (const LossKind loss : {LossKind::kNegativeSampling, LossKind::kNce, LossKind::kRanking}) {
    CAPTURE(static_cast<int>(loss));
    WordSettings settings = settings_with(adversary, 1);
    settings.loss = loss;
    TrainingResult result;
    const SkipGramModel model = train(corpus, settings, &result);
    CHECK(is_finite(model.words));
    CHECK(is_finite(model.contexts));
    CHECK(result.adversary.rows > 0);
    CHECK(std::isfinite(result.adversary.adversarial_loss));
    CHECK(equal(model.words, train(corpus, settings).words));
    settings.adversary->lambda = 1;
    const SkipGramModel noise_only = train(corpus, settings);
    CHECK(!equal(model.words, noise_only.words));
    settings.adversary.reset();
    CHECK(equal(noise_only.words, train(corpus, settings).words));
  }
}

TEST_CASE("with an adversary, too, one thread and one seed give the same bytes") {
  const TemporaryFolder folder;
  const Corpus corpus = read_text(folder, topic_text());
  AdversarySettings adversary = learned_adversary();
  adversary.every = 2;
  const SkipGramModel a = train(corpus, settings_with(adversary, 1));
  const SkipGramModel b = train(corpus, settings_with(adversary, 1));
  CHECK(equal(a.words, b.words));
  adversary.lambda = 1;
  const SkipGramModel noise_only = train(corpus, settings_with(adversary, 1));
  CHECK(!equal(a.words, noise_only.words));
  WordSettings plain = settings_with(adversary, 1);
  plain.adversary.reset();
  CHECK(equal(noise_only.words, train(corpus, plain).words));  // λ = 1 is without ACE, to the bit
}

TEST_CASE("every way to learn and every corner stays finite, collapse included") {
  const TemporaryFolder folder;
  const Corpus corpus = read_text(folder, topic_text());
  std::vector<AdversarySettings> corners = corners_of(learned_adversary(), 8);
  corners.push_back(learned_adversary());
  corners.back().every = 1;
  corners.back().filter_bytes = 64;  // a full filter: everything seems observed
  for (const AdversarySettings& corner : corners) {
    CAPTURE(&corner - corners.data());
    check_stays_finite(corpus, corner, 32);
  }
}

TEST_CASE("unobserved candidates are told from observed ones, and g finds hard ones") {
  const TemporaryFolder folder;
  const Corpus corpus = read_text(folder, topic_text());
  AdversarySettings settings = default_adversary();
  settings.sampler = Sampler::kCritic;
  settings.beta = 3;
  settings.filter_bytes = 0;  // nothing masked: g is free to take the hardest
  TrainingResult free;
  train(corpus, settings_with(settings, 1), &free);
  CHECK(free.adversary.adversarial_loss > 1.2 * free.adversary.noise_loss);
  CHECK(free.adversary.observed == 0);
  settings.filter_bytes = 1 << 20;
  TrainingResult masked;
  train(corpus, settings_with(settings, 1), &masked);
  // Half of the candidates are of the same topic, and nearly all of these pairs occur.
  CHECK(masked.adversary.observed > 0.4);
  CHECK(masked.adversary.observed < 0.6);
}

}  // namespace acevec
