// Skip-gram trained on a small corpus, without files.
#pragma once

#include <vector>

#include "noise/noise.h"
#include "tasks/word/task.h"
#include "train/train_task.h"

namespace acevec {

inline AdversarySettings default_adversary() {
  return {};
}

inline AdversarySettings learned_adversary() {
  AdversarySettings settings = default_adversary();
  settings.sampler = Sampler::kLearned;
  return settings;
}

// A run's length and rate beside the task's own settings.
struct WordSettings : SkipGramSettings {
  int64_t epochs = 5;
  Rate rate{0.025, 2.5e-6};

  TaskRunner::Plan plan() const { return {threads, seed, epochs, rate}; }
};

struct TrainingResult {
  double loss = 0;            // of the last epoch
  AdversaryReport adversary;  // means of the last epoch, and how many rows they are of
};

inline std::vector<double> unigram_noise(const Corpus& corpus) {
  return noise_distribution({}, corpus.vocabulary().counts()).probabilities;
}

inline SkipGramModel start_model(const Corpus& corpus, const SkipGramSettings& settings) {
  return {corpus.vocabulary().size(), settings.size, settings.optimizer, settings.seed};
}

inline SkipGramModel train(const Corpus& corpus, const WordSettings& settings,
                           TrainingResult* result = nullptr) {
  SkipGramModel model = start_model(corpus, settings);
  const std::vector<double> noise = unigram_noise(corpus);
  SkipGramTask task({corpus, noise, settings, model});
  const Sums sums = train_task(task, settings.plan());
  if (result == nullptr) return model;
  const auto mean = [&](SkipGramMean which) { return sums.means[which].value(); };
  *result = {sums.loss.value(),
             {mean(kNoiseOfAdversary), mean(kAdversarialLoss), mean(kEntropy),
              mean(kFalseNegatives), sums.means[kEntropy].count}};
  return model;
}

inline bool equal(const Matrix& a, const Matrix& b) {
  return std::equal(a.row(0), a.row(a.rows()), b.row(0), b.row(b.rows()));
}

// What an adversary needs, made of its settings alone.
inline SkipGramSettings skip_gram_with(const AdversarySettings& adversary, int64_t window) {
  SkipGramSettings settings;
  settings.window = window;
  settings.adversary = adversary;
  return settings;
}

// Means of what a turn or more have seen.
inline AdversaryReport mean_of(const AdversaryReport& sums) {
  const double n = sums.rows > 0 ? sums.rows : 1;
  return {sums.noise_loss / n, sums.adversarial_loss / n, sums.entropy / n, sums.observed / n,
          sums.rows};
}

}  // namespace acevec
