// The commands of the program, in the order in which they are shown.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/options.h"

namespace acevec {

// A command and what carries it out, with its options parsed. run() throws UsageError or Error.
struct CommandEntry {
  const Command* command;
  void (*run)(const Options& options);
};

// The main job, which has no name, comes first.
std::span<const CommandEntry> all_commands();

// Runs the command that the first words of a command line name ("order query" before "order"); the
// main job when they name none. Prints the help text instead when it is asked for.
void run_command(const std::vector<std::string>& arguments);

}  // namespace acevec
