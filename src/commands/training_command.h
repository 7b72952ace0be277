// A command that trains: from the beginning or, with -resume, from a checkpoint on.
#pragma once

#include <optional>

#include "base/checkpoint_file.h"
#include "cli/command_line.h"
#include "commands/run_arguments.h"
#include "train/job.h"

namespace acevec {

class TrainingCommand : public CommandLine {
 public:
  using CommandLine::CommandLine;

  // Trains. With -resume the options are those that the checkpoint holds, with those typed in their
  // place; beside -resume only rows that are changeable() may be typed. What was saved once is
  // saved to the same file again, unless another is typed.
  void run() final;

  // The record of the run; a command with more files adds them.
  std::vector<RunFile> more_files() const override;

 protected:
  RunArguments run_arguments_;

  // Trains with the options as they are, from the beginning or from the checkpoint on, of which the
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
