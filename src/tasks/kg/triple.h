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

// A false triple: a true one of the batch with one side replaced.
struct Negative {
  int32_t positive;  // its place in the batch
  Side side;
  int32_t entity;
  float weight;  // of its loss
};

}  // namespace acevec
