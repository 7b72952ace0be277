#include "sentence/memory.h"

#include <algorithm>

#include "math/aligned.h"
#include "sentence/batch.h"
#include "sentence/passages.h"
#include "sentence/recent.h"

namespace acevec {
namespace {

// Scores and what comes with them.
int64_t thread_bytes(const SentenceShape& shape, const SentenceSettings& settings,
                     const StepLimits& limits) {
  const int64_t candidates = limits.sentences + settings.memory;
  const int64_t most = std::max(candidates, limits.g.sentences);
  int64_t bytes =
      5 * limits.sentences * most +
      RecentSentences::bytes(limits.sentences, settings.memory, padded(shape.row_columns()));
  if (settings.adversary) {
    bytes +=
        SentenceAdversary::bytes(*settings.adversary, shape.size, limits.sentences, candidates);
  }
  return bytes;
}

}  // namespace

MemoryPlan sentence_memory(const SentenceCorpus& corpus, const SentenceShape& shape,
                           const SentenceSettings& settings, int threads) {
  const int64_t words = corpus.vocabulary().size();
  const StepLimits limits =
      step_limits(corpus, passages_of(corpus, settings.passage), settings, shape.buckets > 0);
  MemoryPlan plan;
  plan.job = format("training %s with vectors of size %ld",
                    counted(words + shape.buckets, "row").c_str(), static_cast<long>(shape.size));
  plan.advice = "lower -size, -bigrams, -batch or -threads";
  plan.parts = {{"moments", (shape.tied ? 1 : 2) * NetworkMoments::bytes(shape, words)},
                {"threads", threads * (batch_bytes(shape, words, limits.f) +
                                       batch_bytes(shape, words, limits.g) +
                                       thread_bytes(shape, settings, limits))}};
  if (settings.adversary) {
    plan.parts.push_back(
        {"adversary", SentenceAdversaryState::bytes(*settings.adversary, shape.size)});
  }
  return plan;
}

}  // namespace acevec
