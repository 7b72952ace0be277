// The settings of a run, shown when it starts and recorded beside its output.
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"
#include "cli/command_line.h"

namespace acevec {

// `word` so that bash and zsh read it back byte by byte: as it is where nothing in it is special,
// else in single quotes; with control characters or invalid UTF-8 as $'...' with octal escapes.
std::string shell_quoted(std::string_view word);

// A command line for a shell that asks for the same: what was given, or has another value than the
// default, and has an effect. Arguments without a dash are left out.
std::string repeating_command(const CommandLine& command);

// Version and values, a line for each group of options, for people: options that have a value and
// an effect.
std::string settings_table(const CommandLine& command);

// {"acevec": version, "command": `repeat`, "settings": {name: value, ...}}: every option of the
// table, numbers as numbers, flags as booleans, null where there is no value.
Json run_record(const CommandLine& command, const std::string& repeat);

// The options given, "-name=value", for checkpoints; -resume is left out.
std::vector<std::string> given_arguments(const CommandLine& command);

// Where the record of the run that writes `output` goes: output.json. Empty when there is no file
// that it could stand beside (none, standard output, a device or pipe).
std::string record_path(const std::string& output);

// Throws Error when a file is at `path`, the place of a record, that no run has written.
void refuse_foreign_record(const std::string& path);

}  // namespace acevec
