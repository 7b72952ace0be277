// An exact set of observed pairs of conditions and outcomes, for when all pairs fit in memory. They
// are the false negatives that must not be rewarded (ace-2018, section 2.5).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace acevec {

// A condition and an outcome, each numbered from 0: for example a concept and a general of it.
struct ObservedPair {
  int32_t condition;
  int32_t outcome;
};

// Sorted outcomes, condition after condition: 4 bytes per pair, 8 per condition.
class ExactPairs {
 public:
  // `conditions`: their number. Pairs may come in any order, and may repeat.
  ExactPairs(int64_t conditions, std::span<const ObservedPair> pairs);

  // The distinct outcomes of a condition, in increasing order.
  std::span<const int32_t> outcomes(int32_t condition) const {
    const auto at = static_cast<size_t>(condition);
    return {outcomes_.data() + begins_[at], outcomes_.data() + begins_[at + 1]};
  }

  bool contains(int32_t condition, int32_t outcome) const;

  // Sets marks[outcome] to 1 for the condition's outcomes; other marks are unchanged.
  void mark(int32_t condition, uint8_t* marks) const {
    for (const int32_t outcome : outcomes(condition)) marks[outcome] = 1;
  }

  int64_t conditions() const { return static_cast<int64_t>(begins_.size()) - 1; }

 private:
  std::vector<int64_t> begins_;
  std::vector<int32_t> outcomes_;
};

}  // namespace acevec
