// `acevec vectors`: the vectors of words, or of lines of them.
#pragma once

#include "cli/options.h"

namespace acevec {

extern const Command kVectorsCommand;

// Throws Error, UsageError.
void run_vectors(const Options& options);

}  // namespace acevec
