#include "word/loss_watch.h"

#include <algorithm>

namespace acevec {

bool LossWatch::rises(const TrainingState& state) {
  window_ += state.recent.loss;
  if (state.tokens - begin_ < std::max(kWindow, state.total / 100) || window_.pairs == 0) {
    return false;
  }
  const double loss = window_.mean();
  window_ = {};
  begin_ = state.tokens;
  if (first_ == 0) first_ = loss;
  rises_ = loss > last_ ? rises_ + 1 : 0;
  last_ = loss;
  return rises_ >= kRises && loss >= kFactor * first_;
}

}  // namespace acevec
