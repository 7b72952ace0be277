// Counts -> the distribution that negatives are drawn from.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "noise/solver.h"

namespace acevec {

enum class NoiseKind {
  kUnigram,  // p ∝ count
  kPower,    // p ∝ count^a (word2vec: a = 0.75)
  kUniform,  // p = 1/n
  // The smoothest near the unigram distribution (QCEM), and the one of largest entropy
  // near it, by distances of Precision::kIsotropic and kRelative.
  kQcem,
  kQcemRelative,
  kEntropy,  // relative
  kEntropyIsotropic,
};

struct NoiseSettings {
  NoiseKind kind = NoiseKind::kPower;
  double power = 0.75;                // a, in 0 .. 1 as a rule (0 is uniform, 1 unigram)
  std::optional<double> budget = {};  // Budget::fraction; by default that of usual_budget()
};

// The budget of a noise that is solved for; nothing for the others. docs/experiments/noise.md says
// how it was chosen.
std::optional<Budget> usual_budget(NoiseKind kind);

// The probabilities, one for each count, sum to 1; of noises that are solved for there are
// multipliers. `counts`, in any order, must be positive and not empty. Words with equal counts get
// equal probabilities.
Noise noise_distribution(const NoiseSettings& settings, const std::vector<int64_t>& counts);

}  // namespace acevec
