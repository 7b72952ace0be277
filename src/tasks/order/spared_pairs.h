// The pairs that must not be negatives: observed pairs, and pairs that could be true given the
// observed ones.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/order_penalty.h"
#include "math/exact_pairs.h"
#include "tasks/order/hierarchy.h"

namespace acevec {

// The pair of a condition and what replaces its other side.
inline OrderPair pair_of(Replaced replaced, int32_t condition, int32_t outcome) {
  return replaced == Replaced::kGeneral ? OrderPair{condition, outcome}
                                        : OrderPair{outcome, condition};
}

// Made from the pairs learned from, which it copies. Safe to read from several threads.
class SparedPairs {
 public:
  // `spare_possible`: the second kind too.
  SparedPairs(int64_t concepts, const std::vector<OrderPair>& train, bool spare_possible);

  // About what it needs, in bytes: both sides' pairs, and classes at most as many.
  static int64_t bytes(int64_t concepts, int64_t pairs) { return 12 * pairs + 32 * concepts; }

  // marks[outcome] = 1 for every outcome that makes a spared pair (x, y) with the condition: one
  // that was observed, one of a concept with itself and, with `spare_possible`, one that could be
  // true for all that was observed, since what is above y is above x too. Others 0.
  void mark(Replaced replaced, int32_t condition, uint8_t* marks) const;

 private:
  // Concepts with the same generals are a class: what is possible for one is for all.
  struct Classes {
    std::vector<int32_t> of;        // each concept
    std::vector<int32_t> examples;  // a concept of each class
  };
  static Classes classify(const ExactPairs& generals);

  bool spare_possible_;
  ExactPairs generals_, specifics_;
  Classes classes_;
  ExactPairs below_;  // of each concept, the classes of its specifics
};

}  // namespace acevec
