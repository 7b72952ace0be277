#include "noise/noise.h"

#include <cmath>
#include <numeric>

namespace acevec {

std::vector<double> noise_distribution(NoiseKind kind, const std::vector<int64_t>& counts,
                                       double power) {
  std::vector<double> weights;
  weights.reserve(counts.size());
  for (const int64_t count : counts) {
    switch (kind) {
      case NoiseKind::kUnigram:
        weights.push_back(static_cast<double>(count));
        break;
      case NoiseKind::kPower:
        weights.push_back(std::pow(static_cast<double>(count), power));
        break;
      case NoiseKind::kUniform:
        weights.push_back(1.0);
        break;
    }
  }
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= sum;
  return weights;
}

}  // namespace acevec
