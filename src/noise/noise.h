// Counts -> the distribution that negatives are drawn from.
#pragma once

#include <cstdint>
#include <vector>

namespace acevec {

enum class NoiseKind {
  kUnigram,  // p ∝ count
  kPower,    // p ∝ count^a (word2vec: a = 0.75)
  kUniform,  // p = 1/n
};

// Probabilities, one for each count, summing to 1. `counts` must be positive and not empty; `power`
// is a, used by kPower only, in 0 .. 1 as a rule (0 is uniform, 1 unigram).
std::vector<double> noise_distribution(NoiseKind kind, const std::vector<int64_t>& counts,
                                       double power);

}  // namespace acevec
