// Texts generated from the option tables: help and manual pages, shell completion (completion.cc),
// and JSON for other programs (options_json.cc).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
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

// Returns the completions of the last of `words`, the arguments typed so far: one per line,
// followed by a tab and its meaning if the option tables have one, and a line "/" where a file is
// possible.
std::string completions(std::vector<std::string> words, const CommandLines& commands);

// Returns a script for `shell`, "bash", "zsh" or "fish", that offers completions(). Throws
// UsageError for another shell.
std::string completion_script(std::string_view shell);

// Converts a row's `value`, as typed, to JSON: true, 5, 0.025, "text"; null for an empty one.
Json::Value json_value(const OptionRow& option, const std::string& value);

// The text of `acevec --options json`: {"acevec": version, "commands": [...]}. A command has its
// name ("" for training of words), usage, summary, and options. An option has name, kind, argument
// (the value's name in the help), group, help, default (null when it follows from other values),
// default_text (as in the help), defaults (each with the condition `when` and a value), low and
// high of numbers, choices, and needs (options without which it has no effect).
std::string options_json(const CommandLines& commands);

}  // namespace acevec
