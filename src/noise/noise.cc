#include "noise/noise.h"

#include <cmath>
#include <numeric>

#include "base/error.h"
#include "noise/solver.h"

namespace acevec {
namespace {

// count^power, scaled to sum to 1; power 1 is unigram, 0 uniform.
std::vector<double> powered(const std::vector<int64_t>& counts, double power) {
  std::vector<double> weights;
  weights.reserve(counts.size());
  for (const int64_t count : counts) weights.push_back(std::pow(static_cast<double>(count), power));
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= sum;
  return weights;
}

// Solves for the classes of equal counts, and gives words their class's probability.
Noise solved(const std::vector<int64_t>& counts, const NoiseSettings& settings,
             Noise (*solve)(const CountClasses&, const Budget&)) {
  Budget budget = *usual_budget(settings.kind);
  budget.fraction = settings.budget.value_or(budget.fraction);
  const CountClasses classes = count_classes(counts);
  const Noise of_classes = solve(classes, budget);
  Noise noise{{}, of_classes.multipliers};
  noise.probabilities.reserve(classes.of_word.size());
  for (const int32_t index : classes.of_word) {
    noise.probabilities.push_back(of_classes.probabilities[static_cast<size_t>(index)]);
  }
  return noise;
}

}  // namespace

std::optional<Budget> usual_budget(NoiseKind kind) {
  switch (kind) {
    case NoiseKind::kUnigram:
    case NoiseKind::kPower:
    case NoiseKind::kUniform:
      return std::nullopt;
    case NoiseKind::kQcem:
      return Budget{0.9, Precision::kIsotropic};
    case NoiseKind::kQcemRelative:
      return Budget{0.03, Precision::kRelative};
    case NoiseKind::kEntropy:
      return Budget{0.1, Precision::kRelative};
    case NoiseKind::kEntropyIsotropic:
      return Budget{0.001, Precision::kIsotropic};
  }
  refuse_case("noise");
}

Noise noise_distribution(const NoiseSettings& settings, const std::vector<int64_t>& counts) {
  switch (settings.kind) {
    case NoiseKind::kUnigram:
      return {powered(counts, 1), {}};
    case NoiseKind::kUniform:
      return {powered(counts, 0), {}};
    case NoiseKind::kPower:
      return {powered(counts, settings.power), {}};
    case NoiseKind::kQcem:
    case NoiseKind::kQcemRelative:
      return solved(counts, settings, solve_qcem);
    case NoiseKind::kEntropy:
    case NoiseKind::kEntropyIsotropic:
      return solved(counts, settings, solve_max_entropy);
  }
  refuse_case("noise");
}

}  // namespace acevec
