// The sums of training: the loss, and the means that a task's log shows.
#pragma once

#include <cstddef>
#include <vector>

namespace acevec {

struct Mean {
  double sum = 0;
  double count = 0;

  double value() const { return count > 0 ? sum / count : 0; }  // 0 of nothing
  Mean& operator+=(const Mean& other) {
    sum += other.sum;
    count += other.count;
    return *this;
  }
};

struct Sums {
  Mean loss;                // what the progress line shows and divergence is detected from
  std::vector<Mean> means;  // as the task's TaskDescription names them, or none at all

  Sums& operator+=(const Sums& other) {
    loss += other.loss;
    if (means.size() < other.means.size()) means.resize(other.means.size());
    for (size_t i = 0; i < other.means.size(); ++i) means[i] += other.means[i];
    return *this;
  }
};

}  // namespace acevec
