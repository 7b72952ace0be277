#include "train/loss_watch.h"

#include <algorithm>

namespace acevec {

bool LossWatch::is_worse_than_start(const RunState& state, const Mean& loss) {
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

}  // namespace acevec
