// An exact set of the observed pairs of conditions and outcomes, if all pairs fit in memory. They
// are the false negatives that must not be rewarded (ace-2018, section 2.5).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace acevec {

// A condition and an outcome, each numbered from 0: a concept and what is above it, or a head with
// its relation and a tail.
struct ObservedPair {
  int32_t condition;
  int32_t outcome;
};

// Outcomes in increasing order, condition after condition: 4 bytes a pair, 8 a condition.
class ExactPairs {
 public:
  // `conditions`: how many there are; pairs may come in any order and more than once.
  ExactPairs(int64_t conditions, std::span<const ObservedPair> pairs);

  // Every outcome of a condition, once each, in increasing order.
  std::span<const int32_t> outcomes(int32_t condition) const {
    const auto at = static_cast<size_t>(condition);
    return {outcomes_.data() + begins_[at], outcomes_.data() + begins_[at + 1]};
  }

  bool contains(int32_t condition, int32_t outcome) const;

  // Sets marks[outcome] = 1 for the outcomes of the condition, as masks for ace/policy.h; others
  // stay.
  void mark(int32_t condition, uint8_t* marks) const {
    for (const int32_t outcome : outcomes(condition)) marks[outcome] = 1;
  }

  int64_t conditions() const { return static_cast<int64_t>(begins_.size()) - 1; }
  int64_t pairs() const { return static_cast<int64_t>(outcomes_.size()); }  // different ones

 private:
  std::vector<int64_t> begins_;
  std::vector<int32_t> outcomes_;
};

}  // namespace acevec
