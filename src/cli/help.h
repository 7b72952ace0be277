// Help texts and manual pages, from the rows of the commands.
#pragma once

#include <string>

#include "cli/command_line.h"

namespace acevec {

// The text of --help: every option of a command with its default. For the main job, the first of
// `commands`, it lists the commands too.
std::string help_text(const CommandLine& command, const CommandLines& commands);

// The text of -h: one screen, at most 24 lines of 80 columns, with the options that are common(),
// and for the main job examples and the commands.
std::string short_help(const CommandLine& command, const CommandLines& commands);

// The first clause of a command's summary, for lists of commands.
std::string brief_summary(const CommandText& about);

// The manual page of `command`, one of `commands`, in man's macros. The page of the main job, the
// first of them, lists the others.
std::string manual_page(const CommandLine& command, const CommandLines& commands);

// The name of its file: "acevec.1", "acevec-order-query.1".
std::string manual_file(const CommandLine& command);

}  // namespace acevec
