// Completion of the command line in shells, from the option tables.
#pragma once

#include <string>
#include <vector>

#include "cli/command_line.h"

namespace acevec {

// A script for `shell`, "bash", "zsh" or "fish", that offers commands, options, choices and files.
// Throws UsageError for another shell.
std::string completion_script(std::string_view shell, const CommandLines& commands);

}  // namespace acevec
