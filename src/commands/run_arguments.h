// The options that every training command has.
#pragma once

#include <optional>
#include <string>

#include "cli/command_line.h"
#include "train/run.h"
#include "train/task.h"

namespace acevec {

inline constexpr std::string_view kRun = "Run";

// How often -heldout is evaluated.
inline constexpr Interval kHeldoutEvery{.part = 0.05};

struct RunArguments {
  RunSettings settings;        // -output is the command's own row; the plan's epochs and rate too
  std::optional<int> threads;  // as many as the machine has
  std::string resume;
  std::string command;  // that repeats the run
};

// The heading of these rows; a command may have rows of its own before them. `parallel`: what the
// command's task has.
void declare_run(RunArguments& arguments, OptionTable& table, Parallel parallel);

// The row of -patience. The caller says what it needs.
OptionRow& declare_patience(RunArguments& arguments, OptionTable& table, std::string_view help);

// The rows of -threads and -debug, for commands that do not train too.
OptionRow& declare_threads(std::optional<int>& threads, OptionTable& table);
OptionRow& declare_debug(int& debug, OptionTable& table);

// The value of -threads, or as many as the machine has. Throws Error when the system does not give
// them.
int threads_of(const std::optional<int>& threads);

// Checks what the rows alone cannot, and completes the settings: threads, messages, where the
// record goes, what checkpoints hold, the command that repeats the run. To be called when presets
// and other defaults that follow from what was typed are in place. Throws UsageError, and Error
// when something that no run has written is where the record goes.
void resolve_run(RunArguments& arguments, CommandLine& command);

}  // namespace acevec
