// acevec similarity VECTORS [WORD WORD ...]: cosines of pairs, and scores on similarity sets.
#pragma once

#include "cli/options.h"

namespace acevec {

// Its option table.
extern const Command kSimilarityCommand;

// Prints the cosine of each pair given, or on standard input, a line a pair; words without a vector
// are named on standard error, with near spellings, and the rest goes on. With -set prints how the
// cosines agree with human scores instead. Throws UsageError or Error; Error when no pair has two
// vectors.
void run_similarity(const Options& options);

}  // namespace acevec
