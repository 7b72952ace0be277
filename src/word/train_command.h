// Word training: acevec -train FILE -output FILE.
#pragma once

#include "cli/options.h"

namespace acevec {

// Runs it with the given arguments. Throws UsageError or Error.
void run_train(const Options& options);

}  // namespace acevec
