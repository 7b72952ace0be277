// When a run stops before its end: no new lowest held-out loss for a while.
#pragma once

#include <cstdint>
#include <limits>

namespace acevec {

// Saved in checkpoints as it is: no gaps between its members.
class Patience {
 public:
  // Notes a held-out loss of the run at `tokens`. True when it is the lowest so far.
  bool is_lowest(double loss, int64_t tokens) {
    last_ = loss;
    ++since_lowest_;
    if (!(loss < lowest_)) return false;
    lowest_ = loss;
    lowest_tokens_ = tokens;
    since_lowest_ = 0;
    return true;
  }

  double last() const { return last_; }
  double lowest() const { return lowest_; }
  int64_t lowest_tokens() const { return lowest_tokens_; }  // where the run stood then
  int64_t since_lowest() const { return since_lowest_; }    // losses noted after the lowest
  bool noted() const { return lowest_tokens_ >= 0; }

 private:
  double last_ = 0;
  double lowest_ = std::numeric_limits<double>::infinity();
  int64_t lowest_tokens_ = -1;
  int64_t since_lowest_ = 0;
};

}  // namespace acevec
