// Early ends of a run: divergence, and patience with evaluations.
#pragma once

#include <algorithm>
#include <cstdint>

#include "train/task_runner.h"

namespace acevec {

// Detects divergence. Saved in checkpoints as it is: no gaps between its members.
class LossWatch {
 public:
  // `start`: the mean loss before training; negative: that of the first piece with a loss is used.
  // A window is 1 % of the run, and at least `least_window` units.
  void start(double start, int64_t least_window) {
    bound_ = kMargin * start;
    least_window_ = least_window;
  }

  // Must be called after every piece. True when the mean loss of kWindows windows in a row was
  // above that of the start.
  bool is_worse_than_start(const RunState& state, const Mean& loss);

  // Whether a run that stands at `state` can have this watch; for checkpoints that are read.
  bool is_possible(const RunState& state) const {
    return begin_ >= 0 && begin_ <= state.done && above_ >= 0 && above_ <= kWindows;
  }

  // Whether the last window's loss was too high: the parameters may already be spoilt, so no
  // checkpoint is written.
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

inline bool LossWatch::is_worse_than_start(const RunState& state, const Mean& loss) {
  if (bound_ < 0 && loss.count > 0) bound_ = kMargin * loss.value();
  window_ += loss;
  if (state.done - begin_ < std::max(least_window_, state.total / 100) || window_.count == 0) {
    return false;
  }
  last_ = window_.value();
  window_ = {};
  begin_ = state.done;
  above_ = last_ > bound_ ? above_ + 1 : 0;
  return above_ >= kWindows;
}

// The best evaluation of a run, and the number of evaluations since. Saved in checkpoints as it
// is: no gaps between its members.
class Patience {
 public:
  explicit Patience(bool higher_is_better = false) : sign_(higher_is_better ? -1 : 1) {}

  // Notes the score of the run at `done` units. True when it is as good as any so far: the last of
  // equals is kept, since it has learned longest, but only a better one resets patience.
  bool is_best(double score, int64_t done) {
    last_ = score;
    const bool first = !noted();
    const bool better = first || sign_ * score < sign_ * best_;
    since_best_ = better ? 0 : since_best_ + 1;
    if (!better && score != best_) return false;
    best_ = score;
    best_done_ = done;
    return true;
  }

  double last() const { return last_; }
  double best() const { return best_; }
  int64_t best_done() const { return best_done_; }    // where the run stood then
  int64_t since_best() const { return since_best_; }  // scores noted since there was a better one
  bool noted() const { return best_done_ >= 0; }

 private:
  double sign_;
  double last_ = 0;
  double best_ = 0;
  int64_t best_done_ = -1;
  int64_t since_best_ = 0;
};

}  // namespace acevec
