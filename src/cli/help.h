// Help texts, from the rows of the commands.
#pragma once

#include <string>

#include "cli/command_line.h"

namespace acevec {

// Every option of a command with its default: --help. That of the main job, the first of
// `commands`, lists the commands too.
std::string help_text(const CommandLine& command, const CommandLines& commands);

// One screen, at most 24 lines of 80 columns: -h. It has the options that are common(), and for the
// main job examples and the commands.
std::string short_help(const CommandLine& command, const CommandLines& commands);

// The first clause of a command's summary, for lists of commands.
std::string brief_summary(const CommandText& about);

}  // namespace acevec
