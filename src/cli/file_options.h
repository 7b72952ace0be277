// Checks that no output of a command line is an input or another output.
#pragma once

#include <vector>

#include "cli/command_line.h"

namespace acevec {

// All files of a run, in the order of the command's arguments, its table and what follows from
// these. A command that names no file to write to prints, so that standard output is among them.
std::vector<RunFile> files_of(const CommandLine& command);

// No file that is written may be another file of the run, however it is named: by links, other
// spellings of its path, or as a standard stream. Nor is a file read twice, for it may be a pipe.
// Devices may be shared, and a run may write its checkpoints to the one it goes on from. No output
// has the ending of a packed file. A derived file is a regular one, if it is there: others could
// keep the run waiting for ever. Throws UsageError.
void check_files(const CommandLine& command);

}  // namespace acevec
