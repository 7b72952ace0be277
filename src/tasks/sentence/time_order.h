// Sequences of different lengths in the order that nn/gru.h wants: all their first steps, then all
// second ones, the longest sequence always first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace acevec {

class TimeOrder {
 public:
  // `lengths`: of each sequence, at least 1.
  explicit TimeOrder(const std::vector<size_t>& lengths) : sequences_(lengths.size()) {
    std::iota(sequences_.begin(), sequences_.end(), size_t{0});
    std::stable_sort(sequences_.begin(), sequences_.end(),
                     [&](size_t a, size_t b) { return lengths[a] > lengths[b]; });
    size_t going_on = sequences_.size();
    for (size_t t = 0; going_on > 0; ++t) {
      while (going_on > 0 && lengths[sequences_[going_on - 1]] <= t) --going_on;
      if (going_on > 0) active_.push_back(static_cast<int64_t>(going_on));
    }
  }

  // The sequences by place, the longest first.
  const std::vector<size_t>& sequences() const { return sequences_; }

  // How many sequences have step 0, step 1, ...
  const std::vector<int64_t>& active() const { return active_; }

  int64_t steps() const { return std::accumulate(active_.begin(), active_.end(), int64_t{0}); }

  // Calls on_step(row, sequence, step) for each step of each sequence; rows count from 0.
  template <class OnStep>
  void for_each_step(OnStep&& on_step) const {
    int64_t row = 0;
    for (size_t t = 0; t < active_.size(); ++t) {
      for (int64_t i = 0; i < active_[t]; ++i)
        on_step(row++, sequences_[static_cast<size_t>(i)], t);
    }
  }

 private:
  std::vector<size_t> sequences_;
  std::vector<int64_t> active_;
};

}  // namespace acevec
