// `acevec metric`: from points and labels to an encoder.
#pragma once

#include "cli/options.h"

namespace acevec {

// Its table is kMetricCommand (metric/settings.h). Throws Error.
void run_metric(const Options& options);

}  // namespace acevec
