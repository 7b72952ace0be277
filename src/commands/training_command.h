// The base class of commands that train: common options, and training from the beginning or, with
// -resume, from a checkpoint.
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

// The interval between evaluations of -heldout.
inline constexpr Interval kHeldoutEvery{.part = 0.05};

struct RunArguments {
  RunSettings settings;        // the command declares -output, and the plan's epochs and rate
  std::optional<int> threads;  // unset: the number of processors
  std::string resume;
  std::string command;  // repeats the run
};

// Declares the options of RunArguments under the heading kRun, where the command may already have
// some. `parallel`: the kind of the command's task.
void declare_run(RunArguments& arguments, OptionTable& table, Parallel parallel);

// Declares -patience. The caller adds its conditions.
OptionRow& declare_patience(RunArguments& arguments, OptionTable& table, std::string_view help);

// Checks combinations of options, and completes the settings: threads, messages, the path of the
// record, the arguments for checkpoints, the command that repeats the run. Call it after all
// defaults have been set. Throws UsageError, and Error when the path of the record has a file that
// is not a record.
void resolve_run(RunArguments& arguments, CommandLine& command);

class TrainingCommand : public CommandLine {
 public:
  using CommandLine::CommandLine;

  // Trains. With -resume the options are the checkpoint's, overridden by typed ones, which must be
  // changeable(). Files are written to the same paths again, unless others are typed.
  void run() final;

  // Sets arguments that follow from others, and refuses contradictions. Throws UsageError.
  virtual void resolve() = 0;

  // Returns the record of the run; a command with more files adds them.
  std::vector<RunFile> more_files() const override;

 protected:
  RunArguments run_arguments_;

  // Trains with the resolved options, from the beginning or from the checkpoint, whose options have
  // been read already.
  virtual void train(std::optional<CheckpointReader>& checkpoint) = 0;

  // Runs all steps of `job` and records the run.
  void train_job(Job& job, std::optional<CheckpointReader>& checkpoint) const;

  // Marks the option bound to `field` as fixed: its value, chosen by this machine or text, stays
  // for the run, also when it resumes. Returns it for the report: " -iter 5".
  std::string decide(const void* field);
};

}  // namespace acevec
