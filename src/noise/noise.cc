#include "noise/noise.h"

#include <cmath>
#include <numeric>

#include "noise/count_classes.h"
#include "noise/max_entropy.h"

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

// From classes to their words.
Noise spread(const ClassNoise& solved, const CountClasses& classes) {
  Noise noise{{}, solved.multipliers};
  noise.probabilities.reserve(classes.of_word.size());
  for (const int32_t index : classes.of_word) {
    noise.probabilities.push_back(solved.probabilities[static_cast<size_t>(index)]);
  }
  return noise;
}

}  // namespace

Noise noise_distribution(const NoiseSettings& settings, const std::vector<int64_t>& counts) {
  switch (settings.kind) {
    case NoiseKind::kUnigram:
      return {powered(counts, 1), {}};
    case NoiseKind::kUniform:
      return {powered(counts, 0), {}};
    case NoiseKind::kPower:
      return {powered(counts, settings.power), {}};
    case NoiseKind::kQcem:
    case NoiseKind::kEntropy:
      break;
  }
  const CountClasses classes = count_classes(counts);
  return spread(settings.kind == NoiseKind::kQcem ? solve_qcem(classes, settings.qcem)
                                                  : solve_max_entropy(classes, settings.entropy),
                classes);
}

}  // namespace acevec
