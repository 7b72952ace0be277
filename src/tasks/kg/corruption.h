// Random false triples: one side of a true triple replaced by any entity.
#pragma once

#include <span>
#include <vector>

#include "base/random.h"
#include "tasks/kg/triple.h"

namespace acevec {

enum class CorruptionKind {
  kUniform,    // either side, equally often
  kBernoulli,  // more often the side of which there are fewer to a relation's other side, since
               // the replacement is then less likely to be true (Wang et al. 2014)
  kTail,       // always the tail, where relations have reverses
};

// Which side is replaced, by relation.
class Corruption {
 public:
  Corruption(CorruptionKind kind, std::span<const Triple> train, int64_t relations);

  // The probability that the head is replaced.
  float head_share(int32_t relation) const { return shares_[static_cast<size_t>(relation)]; }

  Side draw(int32_t relation, Random& random) const {
    return random.uniform() < head_share(relation) ? Side::kHead : Side::kTail;
  }

 private:
  std::vector<float> shares_;
};

}  // namespace acevec
