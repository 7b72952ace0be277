// The log of a run, a table that grows during training (-log).
#pragma once

#include <optional>
#include <string>

#include "base/output_file.h"
#include "train/schedule.h"
#include "train/task.h"
#include "train/task_runner.h"

namespace acevec {

// A tab-separated table with a header. Each row covers the time since the previous row:
//
//   the task's unit           such as "tokens": units done over all epochs
//   seconds                   of training, without evaluations but with writing snapshots
//   the rate                  present learning rate
//   the task's means          since the previous row
//   epoch                     from 1
//   vectors                   file with the present vectors, if they are saved
//   the task's evaluation     of the present state, if it was evaluated
//
// A column without a value is empty.
class RunLog {
 public:
  // The state that a resumed run needs.
  struct Memory {
    RunState state;
    Sums recent;  // sums since the last row
  };

  // Throws Error if the file cannot be created (see LineFile). A `resumed` run's own log may exist.
  RunLog(const std::string& path, const Interval& every, const TaskDescription& description,
         bool resumed = false);

  // Must be called first, with the state and the memory at the beginning, or where the run is
  // resumed. Removes rows from the file that were written after that state.
  void start(const RunState& state, double seconds, const Memory& memory = {});

  // Must be called after every piece, in order. Writes a row if one is due, or if `vectors` names a
  // file; but with `evaluation_follows`, add_evaluation() does.
  void add(const RunState& state, const Sums& piece, double seconds, const std::string& vectors,
           bool evaluation_follows = false);

  // Writes a row with the evaluation of the last state.
  void add_evaluation(double seconds, const Evaluation& evaluation) {
    // With several processes training may end at the last exchange but one; then finish() writes
    // it.
    if (memory_.state.done < memory_.state.total) write_row(seconds, evaluation);
  }

  // Writes the last row, after the end of the run. `evaluation`: of the last state, if any.
  void finish(double seconds, const std::string& vectors,
              const std::optional<Evaluation>& evaluation = {}) {
    vectors_ = vectors;
    write_row(seconds, evaluation);
  }

  const Memory& memory() const { return memory_; }

 private:
  void write_row(double seconds, const std::optional<Evaluation>& evaluation);

  TaskDescription description_;
  LineFile file_;
  Interval every_;
  std::optional<Schedule> schedule_;  // set when the run's length is known
  Memory memory_;
  std::string vectors_;  // file to name in the next row
};

}  // namespace acevec
