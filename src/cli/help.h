// Help texts and manual pages, generated from the option tables.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/command_line.h"

namespace acevec {

// Appends words to `text`; starts a new line, indented by `indent` blanks, where a word would
// exceed `width`.
void append_words(std::string& text, const std::vector<std::string>& words, size_t indent,
                  size_t width);

// Returns the text of --help: every option of a command with its default, and for the main job, the
// first of `commands`, a list of the commands. Lines have at most `width` columns, unless one word
// has more.
inline constexpr size_t kHelpColumns = 100;
std::string help_text(const CommandLine& command, const CommandLines& commands,
                      size_t width = kHelpColumns);

// Returns the text of -h, about one screen: the common() options, or all where there are few, and
// for the main job examples and the commands.
inline constexpr size_t kShortHelpColumns = 80;
std::string short_help(const CommandLine& command, const CommandLines& commands,
                       size_t width = kShortHelpColumns);

// The first clause of a command's summary, for lists of commands.
std::string brief_summary(const CommandText& about);

// Returns the manual page of `command`, one of `commands`, in man's macros. The page of the main
// job, the first of them, lists the others.
std::string manual_page(const CommandLine& command, const CommandLines& commands);

// The file name of the manual page: "acevec.1", "acevec-order-query.1".
std::string manual_file(const CommandLine& command);

}  // namespace acevec
