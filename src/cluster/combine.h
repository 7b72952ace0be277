// Combines the changes that several processes have made to their copies of rows.
#pragma once

#include "cluster/rows.h"

namespace acevec {

// What becomes of each row of which some processes have sent their changes δ_i:
// Σ δ_i · min(1 / times, Σ |δ_i|² / |Σ δ_i|²), where each process's learning rate is `times` that
// of one alone. Rare rows change little and in different directions: there the sum is what one
// process would have done. Frequent rows of all processes go the same way, as far as one would have
// gone alone: there this is the average. The result is for all processes.
Rows combine(const Rows& changes, double times);

}  // namespace acevec
