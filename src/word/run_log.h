// How a run went, as a table that grows while it goes: -log.
#pragma once

#include <optional>
#include <string>

#include "base/interval.h"
#include "base/line_file.h"
#include "word/trainer.h"

namespace acevec {

// Tab-separated, a line of names first. Each row is of the time since the row before:
//
//   tokens, epoch, alpha      as they are now; tokens over all epochs, before subsampling
//   seconds                   since training began, filling the adversary's filter and writing
//                             snapshots included
//   positive_loss             mean of −log σ(s) over positive pairs
//   noise_loss                mean of −log σ(−s) over negatives of the noise
//   adversarial_loss          the same of the adversary's negatives
//   entropy                   of the generator, nats, mean over words
//   false_negatives           share of the adversary's candidates that were observed pairs
//   adversary_time            share of the processor time of blocks that the adversary took
//   vectors                   the file that holds the vectors of this moment, if they are saved
//   heldout_loss              mean loss of a positive pair and its negatives on lines that are held
//                             out, at this moment, if it was computed
//
// What there is nothing to say about stays empty: without adversary its columns, and the losses
// where no pair was met.
class RunLog {
 public:
  // What a run that goes on later needs. No gaps between its members.
  struct Memory {
    TrainingState state;
    TrainingSums recent;  // since the last row
  };

  // `negatives`: K. Throws Error when the file cannot be made (see LineFile); it may be the log of
  // the same run when that is `going_on`.
  RunLog(const std::string& path, const Interval& every, int64_t negatives, bool going_on = false);

  // To be called first, with the state and the memory that the run begins, or goes on, with. Rows
  // of later states are taken out of the file.
  void start(const TrainingState& state, double seconds, const Memory& memory = {});

  // To be called with every state of the run, in order. Writes a row when one is due, or when
  // `vectors` names a file. With `heldout_follows` it leaves that to add_heldout().
  void add(const TrainingState& state, double seconds, const std::string& vectors,
           bool heldout_follows = false);

  // A row with the held-out loss of the last state.
  void add_heldout(double seconds, double loss);

  // The last row, when the run has ended. `heldout`: the loss on held-out lines, if there are any.
  void finish(double seconds, const std::string& vectors, std::optional<double> heldout = {});

  const Memory& memory() const { return memory_; }

 private:
  void write_row(double seconds, std::optional<double> heldout);

  LineFile file_;
  Interval every_;
  double negatives_;
  std::optional<Schedule> schedule_;  // once the run's length is known
  Memory memory_;
  std::string vectors_;  // the file for the next row to name
};

}  // namespace acevec
