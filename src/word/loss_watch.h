// Tells a run that gets nowhere from one that learns.
#pragma once

#include <cstdint>

#include "word/trainer.h"

namespace acevec {

// Saved in checkpoints as it is: no gaps between its members.
class LossWatch {
 public:
  // `start`: mean loss of the vectors that the run begins with. A window is 1 % of the run, and at
  // least kLeastWindow tokens.
  void start(double start) { bound_ = kMargin * start; }

  // Takes every state of the run. True when the mean loss of kWindows windows in a row was above
  // that of the start: training has only done harm, and goes on to.
  bool is_worse_than_start(const TrainingState& state);

  // The last window was above: what a checkpoint would hold may be spoilt already.
  bool in_doubt() const { return above_ > 0; }

  double last() const { return last_; }  // loss of the last window

  static constexpr int64_t kLeastWindow = 100000;
  static constexpr int64_t kWindows = 5;
  static constexpr double kMargin = 1.1;  // measured: sound runs stay below 1

 private:
  Loss window_;
  int64_t begin_ = 0;  // of the window, in tokens
  double bound_ = 0;
  double last_ = 0;
  int64_t above_ = 0;  // windows
};

}  // namespace acevec
