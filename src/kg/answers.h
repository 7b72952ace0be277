// Which entities complete a triple of which one entity is missing.
#pragma once

#include <span>
#include <vector>

#include "ace/exact_pairs.h"
#include "kg/triple.h"

namespace acevec {

// For one side: what stands there with each pair of the other entity and a relation.
class Answers {
 public:
  Answers(Side side, std::initializer_list<std::span<const Triple>> parts);

  // All known entities at this side with the triple's relation and its other entity, in increasing
  // order.
  std::span<const int32_t> of(const Triple& triple) const;

  bool contains(const Triple& triple) const;

 private:
  Side side_;
  std::vector<int64_t>
      keys_;  // different (entity, relation), in order; their places are conditions
  ExactPairs pairs_;
};

// Both sides.
struct AllAnswers {
  explicit AllAnswers(std::initializer_list<std::span<const Triple>> parts)
      : heads(Side::kHead, parts), tails(Side::kTail, parts) {}

  const Answers& at(Side side) const { return side == Side::kHead ? heads : tails; }

  Answers heads, tails;
};

}  // namespace acevec
