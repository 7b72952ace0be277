// The option tables as data, for other programs: what `acevec --options json` prints.
#pragma once

#include <string>

#include "base/json.h"
#include "cli/command_line.h"

namespace acevec {

// A row's `value`, as it would be typed, in JSON: true, 5, 0.025, "text"; null for an empty one.
Json::Value json_value(const OptionRow& option, const std::string& value);

// {"acevec": version, "commands": [...]}. A command has its name ("" for training of words), usage,
// summary, and options, each with name, kind, argument (the value's name in the help), group, help,
// default (null when it follows from other values), default_text (as in the help), defaults (each
// with the condition `when` and a value), low and high of numbers, choices, and needs (options
// without which it does nothing).
std::string options_json(const CommandLines& commands);

}  // namespace acevec
