// acevec text FILE: the text as training reads it.
#pragma once

#include "cli/options.h"

namespace acevec {

// Its option table.
extern const Command kTextCommand;

// Prints the text to standard output, one line per line; what was left out is reported on standard
// error. Throws UsageError or Error.
void run_text(const Options& options);

}  // namespace acevec
