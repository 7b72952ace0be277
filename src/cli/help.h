// Help texts, from the rows of the commands.
#pragma once

#include <cstddef>
#include <string>

#include "cli/command_line.h"

namespace acevec {

// Every option of a command with its default: --help. That of the main job, the first of
// `commands`, lists the commands too. Lines have at most `width` columns, unless a word has more.
inline constexpr size_t kHelpColumns = 100;
std::string help_text(const CommandLine& command, const CommandLines& commands,
                      size_t width = kHelpColumns);

// About one screen: -h. It has the options that are common(), or all where these are few, with the
// first clause of their help, and for the main job examples and the commands.
inline constexpr size_t kShortHelpColumns = 80;
std::string short_help(const CommandLine& command, const CommandLines& commands,
                       size_t width = kShortHelpColumns);

// The first clause of a command's summary, for lists of commands.
std::string brief_summary(const CommandText& about);

}  // namespace acevec
