// acevec order query: hypernyms and hyponyms by trained vectors.
#pragma once

#include "cli/options.h"

namespace acevec {

// Its option table.
extern const Command kOrderQueryCommand;

// Prints, for each concept given or on standard input, one a line, the concepts above it or below
// it, the most certain first; or with -truth how good such answers are. Concepts without a vector
// are named on standard error, with near spellings, and the rest goes on. Throws UsageError or
// Error; Error when none has a vector.
void run_order_query(const Options& options);

}  // namespace acevec
