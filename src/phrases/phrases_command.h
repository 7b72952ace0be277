// acevec phrases: a text with collocations joined.
#pragma once

#include "cli/options.h"

namespace acevec {

// Its option table.
extern const Command kPhrasesCommand;

// Reads the text once, finds phrases and writes the text with them joined, line by line. Throws
// UsageError or Error; what stood at the output is then as it was.
void run_phrases(const Options& options);

}  // namespace acevec
