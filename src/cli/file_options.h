// Checks that no output of a command line is an input or another output.
#pragma once

#include <string>
#include <vector>

#include "cli/options.h"

namespace acevec {

// A file that a run reads or writes.
struct RunFile {
  std::string name;  // for messages: "-output", "IN", "the words of -output"
  std::string path;  // as typed; "-" is standard input or output
  bool written;
  bool derived = false;  // its name follows from another's, so nobody can mean a pipe or device
};

// Whether the values of such options name files.
bool names_file(Kind kind);

// The paths of a value with commas between them. A value that is itself the name of a file is one
// path, commas and all. Throws UsageError when one is empty.
std::vector<std::string> paths_of(const std::string& typed);

// All files of a run, in the order of the command's arguments, its table and what follows from
// these. A command that names no file to write to prints, so that standard output is among them.
std::vector<RunFile> files_of(const Command& command, const Options& options);

// No file that is written may be another file of the run, however it is named: by links, other
// spellings of its path, or as a standard stream. Nor is a file read twice, for it may be a pipe.
// Devices may be shared, and a run may write its checkpoints to the one it goes on from. No output
// ends in .gz. A derived file is a regular one, if it is there: others could keep the run waiting
// for ever. Throws UsageError.
void check_files(const Command& command, const Options& options);

}  // namespace acevec
