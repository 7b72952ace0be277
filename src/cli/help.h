// Help texts and manual pages, from the rows of the commands.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/command_line.h"

namespace acevec {

// Appends words to `text`, and begins a line with `indent` blanks where the next would be longer
// than `width`.
void append_words(std::string& text, const std::vector<std::string>& words, size_t indent,
                  size_t width);

// The text of --help: every option of a command with its default. For the main job, the first of
// `commands`, it lists the commands too. Lines have at most `width` columns, unless a word has
// more.
inline constexpr size_t kHelpColumns = 100;
std::string help_text(const CommandLine& command, const CommandLines& commands,
                      size_t width = kHelpColumns);

// The text of -h, about one screen: the options that are common(), or all where these are few, with
// the first clause of their help, and for the main job examples and the commands.
inline constexpr size_t kShortHelpColumns = 80;
std::string short_help(const CommandLine& command, const CommandLines& commands,
                       size_t width = kShortHelpColumns);

// The first clause of a command's summary, for lists of commands.
std::string brief_summary(const CommandText& about);

// The manual page of `command`, one of `commands`, in man's macros. The page of the main job, the
// first of them, lists the others.
std::string manual_page(const CommandLine& command, const CommandLines& commands);

// The name of its file: "acevec.1", "acevec-order-query.1".
std::string manual_file(const CommandLine& command);

}  // namespace acevec
