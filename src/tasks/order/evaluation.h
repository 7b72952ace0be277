// How well learned vectors tell true pairs from false ones, and find what is above a concept.
#pragma once

#include <cstdint>
#include <vector>

#include "math/exact_pairs.h"
#include "tasks/order/geometry.h"
#include "tasks/order/hierarchy.h"

namespace acevec {

struct Threshold {
  float penalty;    // pairs of at most this are held to be true; above 0
  double accuracy;  // share of the pairs it was chosen on that it tells rightly
};

// The threshold that tells most pairs rightly, halfway to the next penalty.
Threshold best_threshold(const Embedding& embedding, const LabelledPairs& pairs);

// Share of the pairs told rightly, 0 .. 1.
double accuracy(const Embedding& embedding, const LabelledPairs& pairs, float threshold);

struct RankingScore {
  double all = 0;       // mean average precision of a concept's generals among all concepts
  double held_out = 0;  // of those of its generals that are in `held_out`, the others left out
  int64_t concepts = 0;
};

// Ranks all concepts by their penalty as generals of x, for at most `most` of the specific concepts
// x of `held_out`. What is equal to a false one ranks behind it.
RankingScore rank_generals(const Embedding& embedding, const ExactPairs& generals,
                           const std::vector<OrderPair>& held_out, int64_t most, int threads);

}  // namespace acevec
