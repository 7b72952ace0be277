// The threshold that tells true values, which are small, from false ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

namespace acevec {

// A value, and whether it is of something true.
using LabelledValue = std::pair<float, bool>;

struct ThresholdPlace {
  size_t below = 0;  // how many of the values are held to be true
  int64_t gain = 0;  // how many more are told rightly than by holding none to be true
};

// Where the threshold tells most of these values rightly, which are in increasing order; of equally
// good places the lowest. Equal values are on one side. `may_be_none`: below all of them too.
inline ThresholdPlace best_threshold_place(std::span<const LabelledValue> values,
                                           bool may_be_none) {
  ThresholdPlace best{0, may_be_none ? 0 : std::numeric_limits<int64_t>::min()};
  int64_t gain = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    gain += values[i].second ? 1 : -1;
    const bool inside = i + 1 < values.size() && values[i + 1].first == values[i].first;
    if (!inside && gain > best.gain) best = {i + 1, gain};
  }
  return best;
}

}  // namespace acevec
