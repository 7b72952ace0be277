// Early ends of a run: divergence, and patience with evaluations.
#pragma once

#include <algorithm>
#include <cstdint>

#include "train/task_runner.h"

namespace acevec {

// Detects divergence. Saved in checkpoints as raw bytes: it must have no padding.
class DivergenceDetector {
 public:
  // Starts with a run of `task`.
  void start(Task& task, const TaskDescription& description) {
    const double part = description.least_epochs * static_cast<double>(task.units());
    start(task.start_loss().value_or(-1),
          std::max(description.least_window, static_cast<int64_t>(part)));
  }

  // `start`: the mean loss before training; negative: that of the first piece with a loss. A window
  // is 1 % of the run, and at least `least_window` units.
  void start(double start, int64_t least_window) {
    bound_ = kMargin * start;
    least_window_ = least_window;
  }

  // Must be called after every piece. True if the mean loss of kWindows consecutive windows was
  // above kMargin times the initial loss.
  bool has_diverged(const RunState& state, const Mean& loss) {
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

  // Whether this state is possible in a run at `state`; for reading checkpoints.
  bool is_possible(const RunState& state) const {
    return begin_ >= 0 && begin_ <= state.done && above_ >= 0 && above_ <= kWindows;
  }

  // Whether the last window's loss was too high, so that no checkpoint should be written.
  bool is_suspect() const { return above_ > 0; }

  double last() const { return last_; }  // loss of the last window

  static constexpr int64_t kWindows = 5;
  static constexpr double kMargin = 1.1;  // measured: convergent runs stay below 1

 private:
  Mean window_;
  int64_t begin_ = 0;  // start of the window, in units
  int64_t least_window_ = 1;
  double bound_ = 0;
  double last_ = 0;
  int64_t above_ = 0;  // consecutive windows above the bound
};

// The best evaluation of a run, and how many followed. Saved as raw bytes: it must have no padding.
class Patience {
 public:
  explicit Patience(bool higher_is_better = false) : sign_(higher_is_better ? -1 : 1) {}

  // Records the score of the run at `done` units. True if it is at least as good as all before: the
  // last of equals is kept, since it has trained longest, but only a better one resets patience.
  bool is_best(double score, int64_t done) {
    last_ = score;
    const bool first = !has_score();
    const bool better = first || sign_ * score < sign_ * best_;
    since_best_ = better ? 0 : since_best_ + 1;
    if (!better && score != best_) return false;
    best_ = score;
    best_done_ = done;
    return true;
  }

  double last() const { return last_; }
  double best() const { return best_; }
  int64_t best_done() const { return best_done_; }    // units of the run at the best score
  int64_t since_best() const { return since_best_; }  // scores since the last improvement
  bool has_score() const { return best_done_ >= 0; }

 private:
  double sign_;
  double last_ = 0;
  double best_ = 0;
  int64_t best_done_ = -1;
  int64_t since_best_ = 0;
};

}  // namespace acevec
