#include "tasks/sentence/memory.h"

#include <algorithm>

#include "base/error.h"
#include "base/progress.h"
#include "tasks/sentence/batch.h"
#include "tasks/sentence/encoder.h"
#include "tasks/sentence/passages.h"

namespace acevec {
namespace {

// Scores and what comes with them; and, of what grows as a batch is read, twice what it needs.
int64_t thread_bytes(const SentenceShape& shape, const SentenceSettings& settings,
                     const BatchLimits& limits, int64_t words) {
  int64_t bytes = 2 * batch_bytes(shape, words, limits) + 5 * limits.sentences * limits.sentences;
  if (settings.adversary) {
    bytes += SentenceAdversary::bytes(*settings.adversary, shape.size, limits.sentences,
                                      limits.sentences);
  }
  return bytes;
}

// The model's copy of the words, and beside it what finds them in a file of vectors, or their text
// for the model's file.
int64_t vocabulary_bytes(const Vocabulary& vocabulary) {
  constexpr int64_t kFound = 64;
  int64_t bytes = 0;
  for (int32_t id = 0; id < vocabulary.size(); ++id) {
    const auto length = static_cast<int64_t>(vocabulary.word(id).size());
    bytes += static_cast<int64_t>(sizeof(WordCount)) + std::max(3 * length, kFound) + length;
  }
  return bytes;
}

}  // namespace

MemoryPlan sentence_memory(const SentenceCorpus& corpus, const SentenceShape& shape,
                           const SentenceSettings& settings, bool keep_best, int threads) {
  const int64_t words = corpus.vocabulary().size();
  const std::vector<Passage> passages = passages_of(corpus, settings.passage);
  const BatchLimits limits = step_limits(corpus, passages, settings);
  const bool evaluates = settings.heldout > 0;
  MemoryPlan plan;
  plan.job = format("training %s with vectors of size %ld", counted(words, "word").c_str(),
                    static_cast<long>(shape.size));
  plan.advice = "lower -size, -batch or -threads";
  plan.parts = {
      {keep_best ? "networks and the best of them" : "networks",
       (keep_best ? int64_t{4} : int64_t{2}) * Network::bytes(shape, words)},
      {"moments", 2 * NetworkMoments::bytes(shape, words)},
      {"words", vocabulary_bytes(corpus.vocabulary())},
      {"passages", 4 * std::ssize(passages) * static_cast<int64_t>(sizeof(Passage))},
      {"encoding", threads * SentenceEncoder::bytes(shape, kEncodedTogether)},
      {"threads", (threads + (evaluates ? 1 : 0)) * thread_bytes(shape, settings, limits, words)}};
  if (settings.adversary) {
    plan.parts.push_back(
        {"adversary", SentenceAdversaryState::bytes(*settings.adversary, shape.size)});
  }
  return plan;
}

}  // namespace acevec
