// acevec sentence: trains a model of sentences on a text.
#pragma once

#include "cli/options.h"

namespace acevec {

// Throws UsageError or Error.
void run_sentence(const Options& options);

}  // namespace acevec
