// Combines the changes that several processes have made to their copies of a row.
#pragma once

#include <cstdint>
#include <span>

namespace acevec {

// Σ δ_i · min(1 / times, Σ |δ_i|² / |Σ δ_i|²), where each process's learning rate is `times` that
// of one alone. Rare rows change little and in different directions: there the sum is what one
// process would have done. Frequent rows of all processes go the same way, as far as one would have
// gone alone: there this is the average. `changes`: δ_i of the processes that have changed the row,
// in the order of their ranks, at least one; `width` numbers each.
void combine(std::span<const float* const> changes, double times, int64_t width, float* result);

}  // namespace acevec
