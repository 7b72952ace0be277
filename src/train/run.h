// A training run with progress, log, snapshots, evaluation, the best copy, checkpoints and early
// stopping. It knows tasks only through task.h.
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

// Settings of every run, independent of its task.
struct RunSettings {
  TaskRunner::Plan plan;  // threads, seed, epochs, learning rate
  std::string output;     // "-" is standard output; empty: the result stays in memory
  std::string record;     // path of the run's record; may be empty
  std::string log;        // may be empty
  Interval log_every{.part = 0.01};
  std::optional<Interval> save_every;  // none: no snapshots
  std::string checkpoint;              // may be empty
  std::string checkpoint_suffix;       // suffix of this process's file, if there are several
  Interval checkpoint_every;
  std::optional<Interval> evaluate_every;  // none: nothing is evaluated
  bool keep_best = false;                  // the result is the copy with the best evaluation
  int64_t patience = 0;                // evaluations without improvement that end the run; 0: never
  int64_t max_memory = 0;              // bytes; 0: all that is available
  int debug = 0;                       // 0: errors only
  std::string command = "acevec";      // the training command as the user calls it: "acevec kg"
  std::vector<std::string> arguments;  // the given options, as "-name=value", for checkpoints

  std::string checkpoint_file() const { return checkpoint + checkpoint_suffix; }
};

// The files that a run writes as it trains. All are opened first, so that a bad path fails early.
struct RunFiles {
  // `resumed`: the checkpoint from which the run is resumed, or empty. Throws Error if a file
  // cannot be written, or would replace a file of another kind.
  RunFiles(const RunSettings& settings, const TaskDescription& description,
           const std::string& resumed = "");

  std::unique_ptr<FileLock> checkpoint;  // keeps other runs from writing there
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
    Exchange* exchange = nullptr;  // with other processes, if any
  };

  explicit Run(const Parts& parts);

  // Starts the run or, with a checkpoint whose options have been read, resumes it: afterwards it
  // only has to train. Throws Error if the checkpoint belongs to other data.
  void start(std::optional<CheckpointReader>& checkpoint);

  // About how many bytes a started run will take beyond those now in use.
  int64_t later_bytes() const;

  // Trains a started run to the end; the task's parameters are then the result to write. Throws
  // Diverged, and Interrupted if a signal came and a checkpoint was written.
  void train();

  // Results:
  // Seconds of training, including the time before a resumed checkpoint.
  double seconds() const { return memory_.seconds + watch_.seconds() - evaluating_; }
  const Sums& epoch_sums() const { return runner_.epoch_sums(); }  // sums of the last epoch
  const std::optional<Evaluation>& best() const { return best_; }
  const TaskDescription& description() const { return parts_.description; }
  // Why the checkpoint of the run's end could not be written; empty if it was, or none was asked.
  const std::string& unwritten_checkpoint() const { return unwritten_checkpoint_; }

 private:
  // The state in checkpoints, besides the parameters and the runner's part; without padding.
  struct Memory {
    double seconds = 0;  // seconds of training, up to the checkpoint
    int64_t snapshots = 0;
    int64_t ended = 0;  // 1: the checkpoint is of the end of the run
    Patience patience;
    DivergenceDetector divergence;

    bool is_possible(const RunState& now) const;
  };

  void resume(CheckpointReader& file);
  void start_schedules();
  void run_until_stop();
  void pause_all_processes();
  void pause(bool ended);
  TaskRunner::Request report(const RunState& now, const Sums& piece);
  void record_due(const RunState& now, double time);
  RunState of_all(const RunState& own) const;
  bool synchronize();
  RunNote own_note();
  void apply_note(const RunNote& all);
  void show(const RunState& state, double time);
  void save_snapshot();
  void evaluate();
  bool out_of_patience() const;
  void require_finite() const;
  void write_checkpoint();
  void save(CheckpointWriter& file);
  void write_final_checkpoint();
  // With several processes, a trained run has ended only after the last exchange.
  bool has_ended() const { return memory_.ended != 0 && runner_.done(); }
  void report_end(bool ended_before) const;
  std::string percent(int64_t done) const;
  std::string last_checkpoint() const;
  std::string resume_advice() const;  // "resume with acevec -resume run.ck"

  Parts parts_;
  std::vector<Parameter> parameters_;
  TaskRunner runner_;
  Stopwatch watch_;
  double evaluating_ = 0;  // seconds of evaluation since watch_ began
  Memory memory_;
  RunLog::Memory log_memory_;  // from the checkpoint
  struct Copied {
    Matrix* matrix;
    Matrix kept;
  };
  std::vector<Copied> best_copy_;  // copies of the results
  std::optional<Evaluation> best_, last_;
  std::optional<Schedule> evaluation_, checkpoint_;
  Due due_;  // actions now due in all processes
  // Guards memory_.divergence and the following while a thread is in synchronize().
  std::mutex mutex_;
  Due own_due_;                             // due by this process's schedules
  Sums unsent_;                             // sums since the last note to other processes
  std::atomic<bool> synchronizing_{false};  // a thread is in synchronize()
  std::string snapshot_;                    // file to name in the log's next row
  std::optional<int64_t> checkpoint_done_;  // units at the last checkpoint
  std::string unwritten_checkpoint_;
  Mean shown_;                      // mean loss since the last progress line
  std::optional<StopSignal> stop_;  // with -checkpoint
};

}  // namespace acevec
