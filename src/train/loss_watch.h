// Detects runs that diverge.
#pragma once

#include <cstdint>

#include "train/sums.h"
#include "train/task_runner.h"

namespace acevec {

// Saved in checkpoints as it is: no gaps between its members.
class LossWatch {
 public:
  // `start`: mean loss of what the run begins with; negative: that of the first piece with a loss.
  // A window is 1 % of the run, and at least `least_window` units.
  void start(double start, int64_t least_window) {
    bound_ = kMargin * start;
    least_window_ = least_window;
  }

  // Takes every piece of the run. True when the mean loss of kWindows windows in a row was above
  // that of the start: training has only done harm, and goes on to.
  bool is_worse_than_start(const RunState& state, const Mean& loss);

  // Whether it can be that of a run that stands at `state`.
  bool is_possible(const RunState& state) const {
    return begin_ >= 0 && begin_ <= state.done && above_ >= 0 && above_ <= kWindows;
  }

  // The last window was above: what a checkpoint would hold may be spoilt already.
  bool in_doubt() const { return above_ > 0; }

  double last() const { return last_; }  // loss of the last window

  static constexpr int64_t kWindows = 5;
  static constexpr double kMargin = 1.1;  // measured: sound runs stay below 1

 private:
  Mean window_;
  int64_t begin_ = 0;  // of the window, in units
  int64_t least_window_ = 1;
  double bound_ = 0;
  double last_ = 0;
  int64_t above_ = 0;  // windows
};

}  // namespace acevec
