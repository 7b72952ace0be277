// Which entities complete a triple of which one entity is missing.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "kg/triple.h"
#include "math/exact_pairs.h"

namespace acevec {

// For one side: what stands there with each pair of a kept entity and a relation. Such pairs that
// occur, in order, are the conditions of ExactPairs; there are no more of them than triples.
class Answers {
 public:
  Answers(Side side, int64_t entities, std::initializer_list<std::span<const Triple>> parts);

  // All known entities at this side with the triple's relation and its kept entity, in increasing
  // order; the triple's own entity at this side is not looked at.
  std::span<const int32_t> of(const Triple& triple) const;

  bool contains(const Triple& triple) const;

 private:
  int32_t condition(const Triple& triple) const;

  Side side_;
  std::vector<int32_t> begins_;     // of each kept entity's conditions
  std::vector<int32_t> relations_;  // of each condition, increasing for each kept entity
  ExactPairs pairs_;
};

// Both sides.
struct AllAnswers {
  AllAnswers(int64_t entities, std::initializer_list<std::span<const Triple>> parts)
      : heads(Side::kHead, entities, parts), tails(Side::kTail, entities, parts) {}

  // About what it needs for so many triples, at most, in bytes: pairs and conditions of either
  // side.
  static int64_t bytes(int64_t entities, int64_t triples) {
    return 2 * (4 * entities + (4 + 4 + 8) * triples);
  }

  const Answers& at(Side side) const { return side == Side::kHead ? heads : tails; }

  Answers heads, tails;
};

}  // namespace acevec
