// Link prediction: the ranks of the true entities among all.
#pragma once

#include <cstdint>
#include <span>

#include "base/progress.h"
#include "tasks/kg/model.h"
#include "tasks/kg/triples.h"

namespace acevec {

// Means over both sides of all triples.
struct RankScore {
  double mean_rank = 0;
  double mrr = 0;  // mean reciprocal rank
  double hits1 = 0, hits3 = 0, hits10 = 0;
};

struct LinkScores {
  RankScore raw;       // among all entities
  RankScore filtered;  // among those that make no other known triple (Bordes et al. 2013)
};

// Asks for the head and for the tail of every triple. A true one that ties with others stands at
// the mean of the places that they share. `known`: the triples of all splits. A distance that is
// not a number ranks last. `progress` is shown how far it is; it may be null.
LinkScores rank_links(const KgModel& model, std::span<const Triple> triples,
                      const KnownTriples& known, int threads, Progress* progress = nullptr);

}  // namespace acevec
