// Counts -> the distribution that negatives are drawn from.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "noise/budget.h"

namespace acevec {

enum class NoiseKind {
  kUnigram,  // p ∝ count
  kPower,    // p ∝ count^a (word2vec: a = 0.75)
  kUniform,  // p = 1/n
  kQcem,     // the smoothest near the unigram distribution: noise/qcem.h
  kEntropy,  // the one of largest entropy near it: noise/max_entropy.h
};

struct NoiseSettings {
  NoiseKind kind = NoiseKind::kPower;
  double power = 0.75;  // a, in 0 .. 1 as a rule (0 is uniform, 1 unigram)
  // Of kQcem and kEntropy; budget_of() has what they are if they are not given.
  std::optional<double> budget = {};  // Budget::fraction
  std::optional<Precision> precision = {};
};

// The budget of kQcem or kEntropy. docs/experiments/noise.md says how the defaults were chosen.
Budget budget_of(const NoiseSettings& settings);

struct Noise {
  std::vector<double> probabilities;       // one for each count, summing to 1
  std::optional<Multipliers> multipliers;  // of kQcem and kEntropy
};

// `counts`, in any order, must be positive and not empty. Words with equal counts get equal
// probabilities.
Noise noise_distribution(const NoiseSettings& settings, const std::vector<int64_t>& counts);

}  // namespace acevec
