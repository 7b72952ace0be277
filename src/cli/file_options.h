// What options that name files must not do to each other.
#pragma once

#include <span>

#include "cli/options.h"

namespace acevec {

using OptionNames = std::span<const char* const>;

// No file may be named twice; but "-" may be standard input and standard output, and devices are
// shared. Throws UsageError.
void refuse_shared_files(const Options& options, OptionNames inputs, OptionNames outputs);

}  // namespace acevec
