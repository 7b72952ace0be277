// A training run with progress, log, snapshots, evaluation, the best copy, checkpoints and early
// stopping. It uses a task only through task.h.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/stop_signal.h"
#include "train/checkpoint.h"
#include "train/early_end.h"
#include "train/exchange.h"
#include "train/run_log.h"
#include "train/schedule.h"
#include "train/task.h"
#include "train/task_runner.h"

namespace acevec {

// The settings that every run has, independent of its task.
struct RunSettings {
  TaskRunner::Plan plan;  // threads, seed, epochs, learning rate
  std::string output;     // "-" is standard output; empty: the result stays in memory
  std::string record;     // of the run, may be empty
  std::string log;        // may be empty
  Interval log_every{.part = 0.01};
  std::optional<Interval> save_every;  // none: no snapshots
  std::string checkpoint;              // may be empty
  std::string checkpoint_suffix;       // of this process's file, when there are several processes
  Interval checkpoint_every;
  std::optional<Interval> evaluate_every;  // none: nothing is evaluated
  bool keep_best = false;                  // the result is the copy with the best evaluation
  int64_t patience = 0;            // evaluations without a better one that end the run; 0: never
  int64_t max_memory = 0;          // bytes; 0: all that is available
  int debug = 0;                   // 0: errors only
  std::string command = "acevec";  // that trains, as the user calls it: "acevec kg"
  std::vector<std::string> arguments;  // the options given, as "-name=value", for checkpoints

  std::string checkpoint_file() const { return checkpoint + checkpoint_suffix; }
};

// The files that a run writes during training: log, snapshots, checkpoint. All are opened before
// any work, so that a mistake shows at once.
struct RunFiles {
  // `resumed`: the checkpoint from which the run is resumed, if it is. Throws Error when a file
  // cannot be written, or would replace a file of something else.
  RunFiles(const RunSettings& settings, const TaskDescription& description,
           const std::string& resumed = "");

  std::unique_ptr<FileLock> checkpoint;  // so that no other run writes there
  std::optional<RunLog> log;
  std::optional<Snapshots> snapshots;
};

class Run {
 public:
  // Inputs; all must outlive the run.
  struct Parts {
    Task& task;
    const TaskDescription& description;
    const RunSettings& settings;
    const std::vector<Identity>& identities;
    RunFiles& files;
    Progress& progress;
    Exchange* exchange = nullptr;  // with other processes, where there are any
  };

  explicit Run(const Parts& parts);

  // Begins the run or, with a checkpoint whose options have been read, resumes it, and trains to
  // the end; the task's parameters are then the result to write. Throws Error when the checkpoint
  // belongs to other data, Diverged, and Interrupted when a signal came and a checkpoint was
  // written.
  void train(std::optional<CheckpointReader>& checkpoint);

  // Results:
  double seconds() const;  // of training, before a checkpoint too
  const Sums& epoch_sums() const { return runner_.epoch_sums(); }  // of the last epoch
  const std::optional<Evaluation>& best() const { return best_; }
  const TaskDescription& description() const { return parts_.description; }

 private:
  // The state in checkpoints besides the parameters and the runner's part. No gaps between its
  // members.
  struct Memory {
    double seconds = 0;  // of training, until the checkpoint
    int64_t snapshots = 0;
    int64_t ended = 0;  // 1: the checkpoint is of the run's end
    Patience patience;
    LossWatch watch;

    bool is_possible(const RunState& now) const;
  };

  void resume(CheckpointReader& file);
  void start_schedules();
  void run_until_stop();
  void stop_together();
  void pause(bool ended);
  TaskRunner::Wish report(const RunState& now, const Sums& piece);
  void note_due(const RunState& now, double time);
  RunState of_all(const RunState& own) const;
  bool synchronize();
  RunNote own_note();
  void agree(const RunNote& all);
  void show(const RunState& state, double time);
  void save_snapshot();
  void evaluate();
  bool out_of_patience() const;
  void require_finite() const;
  void write_checkpoint();
  void save(CheckpointWriter& file);
  void keep_end();
  bool has_ended() const;
  void say_what_came_of_it() const;
  std::string percent(int64_t done) const;
  std::string last_checkpoint() const;

  Parts parts_;
  std::vector<Parameter> parameters_;
  TaskRunner runner_;
  Stopwatch watch_;
  double evaluating_ = 0;  // seconds since watch_ began
  Memory memory_;
  RunLog::Memory log_memory_;  // of the checkpoint
  struct Copied {
    Matrix* matrix;
    Matrix kept;
  };
  std::vector<Copied> best_copy_;  // of the results
  std::optional<Evaluation> best_, last_;
  std::optional<Schedule> evaluation_, checkpoint_;
  Due due_;           // the actions of all processes now
  std::mutex mutex_;  // guards memory_.watch and what follows, while a thread is in synchronize()
  Due noted_;         // by this process's schedules
  Sums unsent_;       // since the last note to other processes
  std::atomic<bool> synchronizing_{false};  // a thread is in synchronize()
  std::string snapshot_;                    // the file for the log's next row to name
  std::optional<int64_t> checkpoint_done_;  // where the run stood at the last checkpoint
  Mean shown_;                              // since the last line of progress
  std::optional<StopSignal> stop_;          // with -checkpoint
};

}  // namespace acevec
