// The log of a run, a table that grows during training: -log.
#pragma once

#include <optional>
#include <string>

#include "base/output_file.h"
#include "train/schedule.h"
#include "train/task.h"
#include "train/task_runner.h"

namespace acevec {

// A tab-separated table with a line of names. Each row covers the time since the row before:
//
//   the task's unit           units done over all epochs, such as "tokens"
//   seconds                   of training; evaluations are left out, writing snapshots is not
//   the rate                  learning rate now
//   the task's means          each since the row before
//   epoch                     from 1
//   vectors                   the file that holds what was learned at this moment, if it is saved
//   the task's evaluation     at this moment, if it was evaluated
//
// A column without a value stays empty.
class RunLog {
 public:
  // The state that a resumed run needs.
  struct Memory {
    RunState state;
    Sums recent;  // since the last row
  };

  // Throws Error when the file cannot be made (see LineFile). If the run is `resumed`, the file
  // may be its own log.
  RunLog(const std::string& path, const Interval& every, const TaskDescription& description,
         bool resumed = false);

  // Must be called first, with the state and the memory at the start, or where the run is resumed.
  // Rows that were written after that state are removed from the file.
  void start(const RunState& state, double seconds, const Memory& memory = {});

  // Must be called after every piece, in order. Writes a row when one is due, or when `vectors`
  // names a file. With `evaluation_follows` it leaves that to add_evaluation().
  void add(const RunState& state, const Sums& piece, double seconds, const std::string& vectors,
           bool evaluation_follows = false);

  // Writes a row with the evaluation of the last state.
  void add_evaluation(double seconds, const Evaluation& evaluation);

  // Writes the last row, when the run has ended. `evaluation`: of the last state, if there is one.
  void finish(double seconds, const std::string& vectors,
              const std::optional<Evaluation>& evaluation = {});

  const Memory& memory() const { return memory_; }

 private:
  void write_row(double seconds, const std::optional<Evaluation>& evaluation);

  TaskDescription description_;
  LineFile file_;
  Interval every_;
  std::optional<Schedule> schedule_;  // once the run's length is known
  Memory memory_;
  std::string vectors_;  // the file for the next row to name
};

}  // namespace acevec
