// The manual page, from the option tables.
#pragma once

#include <string>
#include <vector>

#include "cli/options.h"

namespace acevec {

// acevec(1) as man's macros. The first command is the main job; the others get a section each.
std::string manual_page(const std::vector<const Command*>& commands);

}  // namespace acevec
