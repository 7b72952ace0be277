// acevec noise COUNTS: the noise distribution of a vocabulary, for reading or for other programs.
#pragma once

#include "cli/options.h"

namespace acevec {

// Its option table.
extern const Command kNoiseCommand;

// Reads words and counts and prints "word TAB count TAB probability", a line a word, in the order
// read, on standard output; on standard error, "name TAB value", what the distribution is like:
// entropy (nats), distance from the unigram distribution, multipliers. Throws UsageError or Error.
void run_noise(const Options& options);

}  // namespace acevec
