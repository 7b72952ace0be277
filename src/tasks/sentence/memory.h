// The memory that training sentence encoders needs.
#pragma once

#include "tasks/sentence/corpus.h"
#include "tasks/sentence/model.h"
#include "tasks/sentence/training_settings.h"
#include "train/memory_plan.h"

namespace acevec {

// Sentences that a thread encodes at a time when training has ended.
inline constexpr int64_t kEncodedTogether = 256;

// What training adds to the memory in use when the text has been read.
MemoryPlan sentence_memory(const SentenceCorpus& corpus, const SentenceShape& shape,
                           const SentenceSettings& settings, bool keep_best, int threads);

}  // namespace acevec
