// The settings of a run, shown when it starts and recorded beside its output.
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"
#include "cli/command_line.h"

namespace acevec {

// Quotes `word` so that bash and zsh read back the same bytes: not at all if nothing in it is
// special, else in single quotes; with control characters or invalid UTF-8 as $'...' with octal
// escapes.
std::string shell_quoted(std::string_view word);

// Returns a shell command that repeats the run. It has the options that were given or differ from
// their defaults, and have an effect; arguments without a dash are omitted.
std::string repeating_command(const CommandLine& command);

// Returns the version and the options that have a value and an effect, for display: each group
// begins a line, and no line has more than `width` columns unless one option has.
std::string settings_table(const CommandLine& command, size_t width);

// {"acevec": version, "command": `repeat`, "settings": {name: value, ...}}: every option of the
// table, numbers as numbers, flags as booleans, null where there is no value.
Json run_record(const CommandLine& command, const std::string& repeat);

// The given options as "-name=value", for checkpoints; without -resume.
std::vector<std::string> given_arguments(const CommandLine& command);

// The path of the record of a run that writes `output`: output.json. Empty when `output` is not a
// regular file (empty, standard output, a device or pipe).
std::string record_path(const std::string& output);

// Throws Error when the record's path `path` has a file that is not a record.
void refuse_foreign_record(const std::string& path);

}  // namespace acevec
