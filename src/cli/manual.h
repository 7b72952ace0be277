// The manual pages, from the option tables.
#pragma once

#include <string>
#include <vector>

#include "cli/options.h"

namespace acevec {

// The manual page of `command`, one of `commands`, as man's macros. That of the main job, the first
// of them, lists the others.
std::string manual_page(const Command& command, const std::vector<const Command*>& commands);

// The name of its file: "acevec.1", "acevec-order-query.1".
std::string manual_file(const Command& command);

}  // namespace acevec
