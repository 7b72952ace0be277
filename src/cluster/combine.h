// Combines the changes that several processes have made to their copies of a row.
#pragma once

#include <cstdint>
#include <span>

namespace acevec {

// Rare rows change little and in different directions: there the sum is what one process would have
// done. Frequent rows of all processes go the same way, as far as one would have gone alone: there
// the sum would go too far by as many times as there are processes.
enum class Combine {
  kAverage,     // Σ δ_i / N, of all N processes
  kSum,         // Σ δ_i
  kProjection,  // δ_1, and of each later one what is orthogonal to the sum before it
                // (GraphWord2Vec)
  // Σ δ_i · min(1 / times, Σ |δ_i|² / |Σ δ_i|²): as much as one process would do where they are
  // orthogonal, the average where they are equal, and between these as they agree.
  kScaled,
};

struct Combining {
  Combine how;
  int processes;     // N
  double times = 1;  // each process's rate is so many times that of one alone
};

// `changes`: δ_i of the processes that have changed the row, in the order of their ranks, at least
// one; `width` numbers each.
void combine(const Combining& way, std::span<const float* const> changes, int64_t width,
             float* result);

}  // namespace acevec
