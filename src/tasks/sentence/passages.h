// Passages of a text, of which batches consist, and the limits of a batch.
#pragma once

#include <cstdint>
#include <vector>

#include "tasks/sentence/batch.h"
#include "tasks/sentence/corpus.h"
#include "tasks/sentence/training_settings.h"

namespace acevec {

// Sentences first .. last − 1 of one document.
struct Passage {
  int64_t first;
  int64_t last;
};

// The whole text in its order, in passages of at most `longest` sentences.
std::vector<Passage> passages_of(const SentenceCorpus& corpus, int64_t longest);

int64_t passages_in_batch(const SentenceSettings& settings);

// What the largest step may have: that of the passages with the most tokens.
BatchLimits step_limits(const SentenceCorpus& corpus, const std::vector<Passage>& passages,
                        const SentenceSettings& settings);

}  // namespace acevec
