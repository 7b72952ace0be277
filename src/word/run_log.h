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
//
// What there is nothing to say about stays empty: without adversary its columns, and the losses
// where no pair was met.
class RunLog {
 public:
  // `negatives`: K. Throws Error when the file cannot be made (see LineFile).
  RunLog(const std::string& path, const Interval& every, int64_t negatives);

  // To be called with every state of the run, in order. Writes a row when one is due, or when
  // `vectors` names a file.
  void add(const TrainingState& state, double seconds, const std::string& vectors);

  // The last row, when the run has ended.
  void finish(double seconds, const std::string& vectors);

 private:
  void write_row(double seconds, const std::string& vectors);

  LineFile file_;
  Interval every_;
  double negatives_;
  std::optional<Schedule> schedule_;  // once the run's length is known
  TrainingState state_;
  TrainingSums recent_;  // since the last row
};

}  // namespace acevec
