// The best evaluation of a run, and early stopping.
#pragma once

#include <cstdint>

namespace acevec {

// Saved in checkpoints as it is: no gaps between its members.
class Patience {
 public:
  explicit Patience(bool higher_is_better = false) : sign_(higher_is_better ? -1 : 1) {}

  // Notes the score of the run at `done` units. True when it is as good as any so far: of equals
  // the last is kept, which has learned longest, but only a better one starts patience anew.
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
