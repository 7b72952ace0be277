// A step of the generator over all outcomes, with the settings and the objective that policy.h has
// for a pool of candidates.
#pragma once

#include <cstdint>

#include "ace/full_softmax.h"
#include "ace/policy.h"

namespace acevec {

// What a turn learns from, for the conditions of the last FullSoftmax::compute().
struct FullTurn {
  int64_t rows;
  const float* features;  // as for Generator::hidden()
  float* rewards;         // rows × outcomes, −penalty where (x, y) was observed; overwritten
  const int32_t* drawn;   // rows × count outcomes drawn from g; −1: left out
  const int32_t* noise;   // rows × count outcomes drawn from the noise, for kOffPolicy
  int64_t count;
  const double* noise_probabilities;  // p(y) of every outcome, for the importance weights
};

// One step of θ. kExact: the expectation over all outcomes; else the mean over the draws. The terms
// are those of policy_gradient(), which cuts the importance weights g/p alike.
void take_policy_step(const PolicySettings& settings, const FullTurn& turn, FullSoftmax& softmax);

}  // namespace acevec
