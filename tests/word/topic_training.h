// Small trainings on a text of two topics, for the tests of the adversaries.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "noise/noise.h"
#include "temporary_folder.h"
#include "word/trainer.h"

namespace acevec {

inline Corpus read_text(const TemporaryFolder& folder, const std::string& text) {
  Source source(folder.write("text", text));
  return {source, CorpusSettings{}, [](double, int64_t) {}};
}

// 400 lines of words from two topics.
inline std::string topic_text() {
  Random random(4);
  std::string text;
  for (int line = 0; line < 400; ++line) {
    const char topic = random.below(2) == 0 ? 'a' : 'b';
    for (int i = 0; i < 10; ++i) text += topic + std::to_string(random.below(20)) + ' ';
    text.back() = '\n';
  }
  return text;
}

inline SkipGramSettings settings_with(const AdversarySettings& adversary, int threads) {
  SkipGramSettings settings;
  settings.size = 16;
  settings.sample = 0;
  settings.epochs = 3;
  settings.threads = threads;
  settings.adversary = adversary;
  return settings;
}

inline SkipGramModel train(const Corpus& corpus, const SkipGramSettings& settings,
                           TrainingResult* result = nullptr) {
  SkipGramModel model(corpus.vocabulary().size(), settings.size, settings.optimizer, settings.seed);
  const auto noise = noise_distribution({}, corpus.vocabulary().counts()).probabilities;
  SkipGramTrainer trainer(corpus, noise, settings, model);
  trainer.run([](const TrainingState&) { return SkipGramTrainer::Wish{}; });
  if (result != nullptr) *result = trainer.result();
  return model;
}

inline bool is_finite(const Matrix& matrix) {
  return std::all_of(matrix.row(0), matrix.row(matrix.rows()),
                     [](float x) { return std::isfinite(x); });
}

inline bool equal(const Matrix& a, const Matrix& b) {
  return std::equal(a.row(0), a.row(a.rows()), b.row(0), b.row(b.rows()));
}

}  // namespace acevec
