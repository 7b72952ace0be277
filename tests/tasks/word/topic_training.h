// Small trainings on a text of two topics, for the tests of the adversaries.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tasks/word/train_words.h"
#include "temporary_folder.h"

namespace acevec {

inline Corpus read_text(const TemporaryFolder& folder, const std::string& text) {
  Source source(folder.write("text", text));
  return read_corpus(source, CorpusSettings{}, [](double, int64_t) {});
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

inline WordSettings settings_with(const AdversarySettings& adversary, int threads) {
  WordSettings settings;
  settings.size = 16;
  settings.sample = 0;
  settings.epochs = 3;
  settings.threads = threads;
  settings.adversary = adversary;
  return settings;
}

inline bool is_finite(const Matrix& matrix) {
  return std::all_of(matrix.row(0), matrix.row(matrix.rows()),
                     [](float x) { return std::isfinite(x); });
}

// `base` with every way to learn and in corners where numbers may get out of hand; `floor`: choices
// that one of them is to spread over.
inline std::vector<AdversarySettings> corners_of(const AdversarySettings& base, double floor) {
  using Policy = PolicySettings;
  std::vector<AdversarySettings> corners(5, base);
  for (AdversarySettings& corner : corners) corner.every = 1;
  corners[0].lambda = 0;  // ADV only
  corners[0].beta = 20;   // and as hard as it gets
  corners[1].policy.estimator = Policy::Estimator::kOffPolicy;
  corners[2].policy.estimator = Policy::Estimator::kReinforcePlain;
  corners[2].optimizer.kind = OptimizerKind::kSgd;
  corners[3].hidden = {};
  corners[3].policy.entropy_floor = floor;
  corners[4].hidden = {8};
  corners[4].optimizer.rate = 3;  // no floor and giant steps: collapses at once
  corners[4].lambda = 0;
  return corners;
}

// Trains with this adversary, which chooses among so many, and looks for numbers that are none.
inline void check_stays_finite(const Corpus& corpus, const AdversarySettings& adversary,
                               double choices) {
  TrainingResult result;
  const SkipGramModel model = train(corpus, settings_with(adversary, 2), &result);
  CHECK(is_finite(model.words));
  CHECK(is_finite(model.contexts));
  const AdversaryReport& mean = result.adversary;
  CHECK(mean.rows > 0);
  CHECK(std::isfinite(mean.adversarial_loss));
  CHECK(std::isfinite(mean.noise_loss));
  CHECK(mean.entropy <= std::log(choices) + 1e-3);
  CHECK(mean.observed <= 1);
}

}  // namespace acevec
