#include "tasks/word/memory.h"

#include <doctest/doctest.h>

#include "math/aligned.h"

namespace acevec {
namespace {

int64_t planned_bytes(const SkipGramSettings& settings) {
  return word_memory(150000, settings).total();
}

TEST_CASE("what is kept besides has its place in the plan") {
  SkipGramSettings settings;
  const int64_t row = padded(settings.size) * 4;
  const int64_t plain = planned_bytes(settings);
  CHECK(plain > 2 * 150000 * row);
  CHECK(word_memory(150000, settings, 1000).total() == plain + 1000 * row);
  CHECK(word_memory(150000, settings, 0, true).total() == plain + 2 * 150000 * row);
  CHECK(word_memory(150000, settings, 0, false, true).total() > plain);
  settings.threads = 2;
  CHECK(planned_bytes(settings) > plain);
  settings.threads = 1;
  settings.optimizer = OptimizerKind::kAdam;
  CHECK(planned_bytes(settings) >= plain + 4 * 150000 * row);  // two moments of both matrices
  settings.optimizer = OptimizerKind::kSgd;
  settings.subwords = {3, 6, 200000};
  CHECK(planned_bytes(settings) > plain + 150000 * row);  // all words composed
  CHECK(word_memory(10, settings).advice == "lower -size, -bucket or -max-vocab");
}

TEST_CASE("an adversary over all words takes less than 200 MB for 150 k words, 2 threads") {
  SkipGramSettings settings;
  settings.threads = 2;
  const int64_t noise_only = planned_bytes(settings);
  settings.adversary.emplace();
  settings.adversary->sampler = Sampler::kLearned;
  const int64_t candidates = planned_bytes(settings);
  CHECK(candidates > noise_only + settings.adversary->filter_bytes);
  settings.adversary->softmax = AdversarySettings::Softmax::kFull;
  CHECK(planned_bytes(settings) > candidates);
  CHECK(planned_bytes(settings) - noise_only < 200000000);
}

}  // namespace
}  // namespace acevec
