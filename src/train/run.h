// A training run with all that happens around it: progress, log, snapshots, evaluation, the best
// copy, checkpoints, and an end before its time. It knows a task by task.h alone.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/progress.h"
#include "base/stop_signal.h"
#include "train/checkpoint.h"
#include "train/loss_watch.h"
#include "train/patience.h"
#include "train/run_files.h"
#include "train/run_settings.h"
#include "train/task.h"
#include "train/task_runner.h"

namespace acevec {

class Run {
 public:
  // Called when all threads wait: where parameters may be exchanged with other processes.
  using Exchange = std::function<void(std::span<const Parameter>)>;

  // What it works on. All must outlive the run.
  struct Parts {
    Task& task;
    const TaskDescription& description;
    const Command& command;
    const RunSettings& settings;
    const std::vector<Identity>& identities;
    RunFiles& files;
    Progress& progress;
    Exchange exchange = {};
  };

  explicit Run(const Parts& parts);

  // Begins the run or, with a checkpoint of which the options have been read, resumes it, and
  // trains to the end; the task's parameters are then what shall be written. Throws Error when the
  // checkpoint is of other data, Diverged, and Interrupted when a signal came and a checkpoint was
  // written.
  void train(std::optional<CheckpointReader>& checkpoint);

  // What came of it:
  double seconds() const;  // of training, before a checkpoint too
  const Sums& epoch_sums() const { return runner_.epoch_sums(); }  // of the last epoch
  const std::optional<Evaluation>& best() const { return best_; }
  const TaskDescription& description() const { return parts_.description; }

 private:
  // What checkpoints hold besides the parameters and the runner's part. No gaps between its
  // members.
  struct Memory {
    double seconds = 0;  // of training, until the checkpoint
    int64_t snapshots = 0;
    Patience patience;
    LossWatch watch;
  };

  void begin();
  void resume(CheckpointReader& file);
  void start_schedules();
  void leg();
  TaskRunner::Wish report(const RunState& now, const Sums& piece);
  void show(const RunState& state, double time);
  void save_snapshot();
  void evaluate();
  bool out_of_patience() const;
  void require_finite() const;
  void write_checkpoint();
  void restore_best();
  void say_what_came_of_it() const;
  std::string percent(int64_t done) const;
  std::string last_checkpoint() const;

  Parts parts_;
  std::vector<Parameter> parameters_;
  TaskRunner runner_;
  Stopwatch watch_;
  double evaluating_ = 0;  // seconds since watch_ began
  Memory memory_;
  RunLog::Memory log_memory_;      // of the checkpoint
  std::vector<Matrix> best_copy_;  // of the results
  std::optional<Evaluation> best_, last_;
  std::optional<Schedule> evaluation_, checkpoint_;
  bool evaluation_due_ = false, checkpoint_due_ = false;
  std::optional<int64_t> checkpoint_done_;  // where the run stood at the last checkpoint
  Mean shown_;                              // since the last line of progress
  std::optional<StopSignal> stop_;          // with -checkpoint
};

}  // namespace acevec
