// The option tables as data for other programs, printed by `acevec --options json`.
#pragma once

#include <string>

#include "base/json.h"
#include "cli/command_line.h"

namespace acevec {

// Converts a row's `value`, as typed, to JSON: true, 5, 0.025, "text"; null for an empty one.
Json::Value json_value(const OptionRow& option, const std::string& value);

// {"acevec": version, "commands": [...]}. A command has its name ("" for training of words), usage,
// summary, and options. An option has name, kind, argument (the value's name in the help), group,
// help, default (null when it follows from other values), default_text (as in the help), defaults
// (each with the condition `when` and a value), low and high of numbers, choices, and needs
// (options without which it has no effect).
std::string options_json(const CommandLines& commands);

}  // namespace acevec
