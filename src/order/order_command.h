// acevec order: concepts from pairs "specific -> general".
#pragma once

#include "cli/options.h"

namespace acevec {

// Reads pairs, trains, writes vectors and says how good they are. Throws UsageError or Error.
void run_order(const Options& options);

}  // namespace acevec
