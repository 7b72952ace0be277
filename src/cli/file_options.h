// Checks that no output of a command line is an input or another output.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "vectors/format.h"

namespace acevec {

// Returns all files of a run: its arguments', its options', and derived ones, in this order. A
// command without an output file prints, so standard output is among them.
std::vector<RunFile> files_of(const CommandLine& command);

// Appends the words file to `files` if vectors of `format` at `path` have one. `name`: the name of
// `path` in messages.
void add_words_file(const std::string& name, const std::string& path,
                    std::optional<VectorFormat> format, bool written, std::vector<RunFile>& files);

// Throws UsageError when an operand that is to be read does not exist, but a later one does, which
// may have been swapped with it; and when a written file is also another file of the run, even
// under another name: a link, another spelling of its path, or a standard stream. A file may not be
// read twice by one option, or a pipe by two. Devices may be shared, and a run may replace the
// checkpoint from which it resumes. No output may have the ending of a compressed file. A derived
// file that exists must be a regular file, since another kind could block the run forever. Throws
// Error if standard output is written, and closed.
void check_files(const CommandLine& command);

}  // namespace acevec
