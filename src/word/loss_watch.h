// Tells a run that gets worse and worse from one that learns.
#pragma once

#include <cstdint>

#include "word/trainer.h"

namespace acevec {

// Saved in checkpoints as it is: no gaps between its members.
class LossWatch {
 public:
  // Takes every state of the run. True when the loss has risen for kRises windows in a row and is
  // kFactor times what it was at the beginning, or more: a loss that learning will not bring down.
  // A window is 1 % of the run, and at least kWindow tokens.
  bool rises(const TrainingState& state);

  static constexpr int64_t kWindow = 100000;
  static constexpr int64_t kRises = 5;
  static constexpr double kFactor = 2;

 private:
  Loss window_;
  int64_t begin_ = 0;  // of the window, in tokens
  double first_ = 0;   // loss of the first window
  double last_ = 0;
  int64_t rises_ = 0;
};

}  // namespace acevec
