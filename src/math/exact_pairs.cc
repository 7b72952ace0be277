#include "math/exact_pairs.h"

#include <algorithm>

namespace acevec {

ExactPairs::ExactPairs(int64_t conditions, std::span<const ObservedPair> pairs)
    : begins_(static_cast<size_t>(conditions) + 1), outcomes_(pairs.size()) {
  // A counting sort by condition; then each list is sorted, deduplicated and moved up.
  for (const ObservedPair& pair : pairs) ++begins_[static_cast<size_t>(pair.condition) + 1];
  for (size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
  std::vector<int64_t> ends(begins_.begin(), begins_.end() - 1);
  for (const ObservedPair& pair : pairs) {
    outcomes_[static_cast<size_t>(ends[static_cast<size_t>(pair.condition)]++)] = pair.outcome;
  }
  auto kept = outcomes_.begin();
  for (size_t i = 0; i < ends.size(); ++i) {
    const auto first = outcomes_.begin() + begins_[i];
    const auto last = outcomes_.begin() + ends[i];
    std::sort(first, last);
    begins_[i] = kept - outcomes_.begin();
    kept = std::copy(first, std::unique(first, last), kept);
  }
  begins_.back() = kept - outcomes_.begin();
  outcomes_.erase(kept, outcomes_.end());
  outcomes_.shrink_to_fit();
}

bool ExactPairs::contains(int32_t condition, int32_t outcome) const {
  const std::span<const int32_t> all = outcomes(condition);
  return std::binary_search(all.begin(), all.end(), outcome);
}

}  // namespace acevec
