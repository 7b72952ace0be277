// Checks that no output of a command line is an input or another output.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "vectors/format.h"

namespace acevec {

// All files of a run: those of its arguments, of its table, and derived ones, in this order. A
// command without an output file prints, so standard output is among them.
std::vector<RunFile> files_of(const CommandLine& command);

// Appends the file of words to `files` if vectors of `format` at `path` have one. `name` is what
// `path` is called in messages.
void add_words_file(const std::string& name, const std::string& path,
                    std::optional<VectorFormat> format, bool written, std::vector<RunFile>& files);

// Throws UsageError when a file that is written is also another file of the run, even under another
// name: a link, another spelling of its path, or a standard stream. Nor may a file be read twice,
// by one option, or by two where it is a pipe. Devices may be shared, and a run may replace the
// checkpoint from which it is resumed. No output may have the ending of a compressed file. A
// derived file that exists must be a regular file, since others could block the run for ever.
void check_files(const CommandLine& command);

}  // namespace acevec
