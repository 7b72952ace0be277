// acevec nn VECTORS [WORD ...]: the nearest words of words.
#pragma once

#include "cli/options.h"

namespace acevec {

// Its option table.
extern const Command kNnCommand;

// Prints the neighbours of the words given, or of those on standard input, one a line. Words that
// have no vector are named on standard error, with near spellings, and the rest goes on.
// Throws UsageError or Error; Error when no word at all has a vector.
void run_nn(const Options& options);

}  // namespace acevec
