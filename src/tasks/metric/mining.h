// Mined negatives: the candidates that are hardest by a rule, instead of draws.
#pragma once

#include <cstdint>

namespace acevec {

enum class Mining : uint8_t {
  kHardest,   // nearest (VSE++, Faghri et al. 2017)
  kSemiHard,  // of those farther than the positive the nearest, then of the others the farthest
              // (FaceNet, Schroff et al. 2015)
  kUncertain,  // as far as the positive: with P = σ(d⁻ − d⁺), the posterior that of the two the
               // positive is the right one, P nearest 1/2 (Bose 2018, section 4.1)
};

// What is chosen from. A negative score is a distance too.
struct MinedCandidates {
  const float* distances;
  const uint8_t* masked;  // not 0: left out
  int64_t count;
};

// chosen[k], k < count: the indexes of the best candidates, the best first, of equals the first; −1
// when there are fewer. `positive`: the positive's distance.
void mine(Mining rule, const MinedCandidates& from, float positive, int64_t count, int32_t* chosen);

}  // namespace acevec
