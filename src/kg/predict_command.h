// acevec kg predict: what completes a triple.
#pragma once

#include "cli/options.h"

namespace acevec {

// Its option table.
extern const Command kKgPredictCommand;

// Prints, for the question given or each on standard input, the nearest entities. Questions about
// what the model does not know are named on standard error, and the rest goes on. Throws UsageError
// or Error; Error when no question could be answered.
void run_kg_predict(const Options& options);

}  // namespace acevec
