// acevec sentence encode MODEL <lines >vectors, and acevec sentence similarity.
#pragma once

#include "cli/options.h"

namespace acevec {

extern const Command kSentenceEncodeCommand;
extern const Command kSentenceSimilarityCommand;

// A row for each line of standard input, in order. Throws UsageError or Error.
void run_sentence_encode(const Options& options);

// The cosine of each pair of sentences on standard input, a tab between them. Throws UsageError or
// Error.
void run_sentence_similarity(const Options& options);

}  // namespace acevec
