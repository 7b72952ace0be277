// A command that trains: the options that all of these have, and training from the beginning or,
// with -resume, from a checkpoint on.
#pragma once

#include <optional>
#include <string>

#include "base/checkpoint_file.h"
#include "cli/command_line.h"
#include "train/job.h"
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

// Checks what the rows alone cannot, and completes the settings: threads, messages, where the
// record goes, what checkpoints hold, the command that repeats the run. To be called when presets
// and other defaults that follow from what was typed are in place. Throws UsageError, and Error
// when something that no run has written is where the record goes.
void resolve_run(RunArguments& arguments, CommandLine& command);

class TrainingCommand : public CommandLine {
 public:
  using CommandLine::CommandLine;

  // Trains. With -resume the options are those that the checkpoint holds, with those typed in their
  // place; beside -resume only rows that are changeable() may be typed. What was saved once is
  // saved to the same file again, unless another is typed.
  void run() final;

  // Completes the arguments by what follows from others, and refuses contradictions. Throws
  // UsageError.
  virtual void resolve() = 0;

  // The record of the run; a command with more files adds them.
  std::vector<RunFile> more_files() const override;

 protected:
  RunArguments run_arguments_;

  // Trains with the resolved options, from the beginning or from the checkpoint on, of which the
  // options have been read.
  virtual void train(std::optional<CheckpointReader>& checkpoint) = 0;

  // Takes all steps of `job` and records the run.
  void train_job(Job& job, std::optional<CheckpointReader>& checkpoint) const;

  // The value of the row that is bound to `field` was decided by this machine or this text: it
  // stays for the run, in checkpoints too.
  void decide(const void* field);

  // The file to read of those that a checkpoint may consist of.
  virtual std::string part_to_read(const std::string& resumed) const { return resumed; }
};

}  // namespace acevec
