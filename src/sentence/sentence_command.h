// acevec sentence: a text in, a model of sentences out.
#pragma once

#include "cli/options.h"

namespace acevec {

// Throws UsageError or Error.
void run_sentence(const Options& options);

}  // namespace acevec
