#include "word/loss_watch.h"

#include <algorithm>

namespace acevec {

bool LossWatch::is_worse_than_start(const TrainingState& state) {
  window_ += state.recent.loss;
  if (state.tokens - begin_ < std::max(kLeastWindow, state.total / 100) || window_.pairs == 0) {
    return false;
  }
  last_ = window_.mean();
  window_ = {};
  begin_ = state.tokens;
  above_ = last_ > bound_ ? above_ + 1 : 0;
  return above_ >= kWindows;
}

}  // namespace acevec
