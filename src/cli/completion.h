// Shell completion: a script for each shell, which calls the program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.h"

namespace acevec {

// Returns the completions of the last of `words`, the arguments typed so far: one per line,
// followed by a tab and its meaning if the option tables have one, and a line "/" where a file is
// possible.
std::string completions(std::vector<std::string> words, const CommandLines& commands);

// Returns a script for `shell`, "bash", "zsh" or "fish", that offers completions(). Throws
// UsageError for another shell.
std::string completion_script(std::string_view shell);

}  // namespace acevec
