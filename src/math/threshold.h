// The threshold that separates true items, whose values are small, from false ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

namespace acevec {

using LabelledValue = std::pair<float, bool>;  // a value, and whether its item is true

struct ThresholdPlace {
  size_t below = 0;  // number of values classified as true
  int64_t gain = 0;  // correct decisions more than by classifying none as true
};

// The place of the threshold with the most correct decisions on increasing `values`; the lowest of
// equally good places. Equal values are on one side. `may_be_none`: allows one below all.
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
