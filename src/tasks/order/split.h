// Splits pairs into training, development (for the threshold) and test.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "tasks/order/hierarchy.h"

namespace acevec {

enum class SplitKind {
  kHonest,  // the different pairs are dealt out, and no negative is true
  kPaper,   // the lines of the file are, so that a pair that stands there twice may be learned and
            // tested; a negative may happen to be true (Vendrov et al. 2016, ace-2018)
};

// True pairs, and false ones made of these by replacing a side.
struct LabelledPairs {
  std::vector<OrderPair> positives;
  std::vector<OrderPair> negatives;
};

struct Split {
  std::vector<OrderPair> train;
  LabelledPairs development;
  LabelledPairs test;
  // `train` and what follows from it, where that is wanted: no negative may be among these.
  std::vector<OrderPair> implied = {};

  const std::vector<OrderPair>& known() const { return implied.empty() ? train : implied; }
};

// The pair with one side replaced by any concept: the specific one with probability
// `specific_share`.
OrderPair corrupted(OrderPair pair, int64_t concepts, double specific_share, Random& random);

// Holds `held_out` pairs out for development and as many for the test; at least one pair must be
// left. The same seed gives the same split. Throws Error when chance finds no false pair.
Split split_pairs(const Hierarchy& hierarchy, SplitKind kind, int64_t held_out, uint64_t seed);

// The pairs with negatives that are not among `hierarchy`'s. Throws
// Error as above.
LabelledPairs label_pairs(std::vector<OrderPair> pairs, const Hierarchy& hierarchy, uint64_t seed);

// How many of the pairs of `some` are among `all` too.
int64_t count_shared(const std::vector<OrderPair>& some, const ExactPairs& all_generals);

}  // namespace acevec
