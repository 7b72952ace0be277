// Facts of a knowledge graph, and false ones.
#pragma once

#include <cstdint>

namespace acevec {

// Head, relation and tail, each numbered from 0; relations apart from entities.
struct Triple {
  int32_t head;
  int32_t relation;
  int32_t tail;

  bool operator==(const Triple&) const = default;
  // clang-tidy 14 takes the 0 inside the generated comparison for a pointer.
  auto operator<=>(const Triple&) const = default;  // NOLINT(modernize-use-nullptr)
};

// As they stand in a line.
inline constexpr int32_t Triple::*kTripleColumns[] = {&Triple::head, &Triple::relation,
                                                      &Triple::tail};

// Which entity of a triple is asked for, or replaced; the other one is kept.
enum class Side { kHead, kTail };

inline int32_t entity(const Triple& triple, Side side) {
  return side == Side::kHead ? triple.head : triple.tail;
}

inline Side other(Side side) {
  return side == Side::kHead ? Side::kTail : Side::kHead;
}

// The triple with the entity of one side replaced.
inline Triple replaced(Triple triple, Side side, int32_t by) {
  (side == Side::kHead ? triple.head : triple.tail) = by;
  return triple;
}

// Which row of a triple a gradient belongs to.
enum class Part { kHead, kRelation, kTail };
inline constexpr int64_t kParts = 3;

inline Part part_of(Side side) {
  return side == Side::kHead ? Part::kHead : Part::kTail;
}

// A false triple: a true one with one side replaced.
struct Negative {
  Side side = Side::kTail;
  int32_t entity = -1;  // −1: there is none
  float weight = 0;     // of its loss
};

}  // namespace acevec
