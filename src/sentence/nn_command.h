// acevec sentence nn MODEL CORPUS [QUERY ...]: the lines of a text that are nearest to a sentence.
#pragma once

#include "cli/options.h"

namespace acevec {

extern const Command kSentenceNnCommand;

// Throws UsageError or Error.
void run_sentence_nn(const Options& options);

}  // namespace acevec
