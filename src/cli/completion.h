// Completion of the command line in shells: a script for each shell, which calls the program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.h"

namespace acevec {

// The possible completions of the last of `words`, the arguments typed so far: one on each line,
// followed by a tab and its meaning if the option tables have one; a line "/" where a file is
// possible.
std::string completions(std::vector<std::string> words, const CommandLines& commands);

// A script for `shell`, "bash", "zsh" or "fish", that offers completions(). Throws UsageError for
// another shell.
std::string completion_script(std::string_view shell);

}  // namespace acevec
