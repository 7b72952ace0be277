// Measures how well trained vectors separate true pairs from false ones, and rank generals.
#pragma once

#include <cstdint>
#include <vector>

#include "math/exact_pairs.h"
#include "tasks/order/geometry.h"
#include "tasks/order/hierarchy.h"

namespace acevec {

struct Threshold {
  float penalty;    // the largest penalty of a pair taken for true; above 0
  double accuracy;  // share of correct decisions on the pairs it was chosen on
};

// The threshold with the most correct decisions, halfway to the next penalty.
Threshold best_threshold(const Embedding& embedding, const LabelledPairs& pairs);

// The share of correct decisions, 0 .. 1.
double accuracy(const Embedding& embedding, const LabelledPairs& pairs, float threshold);

struct RankingScore {
  double all = 0;       // mean average precision of a concept's generals among all concepts
  double held_out = 0;  // the same for its generals in `held_out`, without the others
  int64_t concepts = 0;
};

// Ranks all concepts by penalty as generals of x, for at most `most` of the specific concepts x of
// `held_out`. A true general ranks behind false ones with an equal penalty.
RankingScore rank_generals(const Embedding& embedding, const ExactPairs& generals,
                           const std::vector<OrderPair>& held_out, int64_t most, int threads);

}  // namespace acevec
