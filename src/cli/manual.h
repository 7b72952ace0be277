// The manual pages, from the option tables.
#pragma once

#include <string>

#include "cli/command_line.h"

namespace acevec {

// The manual page of `command`, one of `commands`, in man's macros. The page of the main job, the
// first of them, lists the others.
std::string manual_page(const CommandLine& command, const CommandLines& commands);

// The name of its file: "acevec.1", "acevec-order-query.1".
std::string manual_file(const CommandLine& command);

}  // namespace acevec
