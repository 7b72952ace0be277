// Completion of the command line in shells: a script for each shell, which asks the program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.h"

namespace acevec {

// What may stand in place of the last of the words behind the program's name, which may be begun: a
// line each, with a tab and what it means where the option tables say that; "/" alone where files
// may stand.
std::string completions(std::vector<std::string> words, const CommandLines& commands);

// A script for `shell`, "bash", "zsh" or "fish", that offers completions(). Throws UsageError for
// another shell.
std::string completion_script(std::string_view shell);

}  // namespace acevec
