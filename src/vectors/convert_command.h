// acevec convert IN OUT: vectors from one format into another.
#pragma once

#include "cli/options.h"

namespace acevec {

// Its option table.
extern const Command kConvertCommand;

// Reads the vectors of IN and writes those wanted to OUT, a row at a time. Throws UsageError or
// Error; what stood at OUT is then as it was.
void run_convert(const Options& options);

}  // namespace acevec
