// What a false triple costs beside a true one.
#pragma once

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace acevec {

enum class KgLossKind {
  kMargin,   // max(0, η + s⁺ − s⁻) (Eq. 12 of ace-2018)
  kNs,       // −log σ(η − s⁺) − log σ(s⁻ − η) (negative sampling; Sun et al. 2019)
  kSoftmax,  // −log of the true one's share among all (Lacroix et al. 2018):
             // tasks/kg/softmax_steps.h
};

// A pair's loss, and its slopes by the two distances.
struct PairLoss {
  float value, by_true, by_false;
};

// By the distances of the true and of the false triple. Not of kSoftmax, which is no sum over
// pairs.
inline PairLoss pair_loss(KgLossKind kind, float margin, float true_distance,
                          float false_distance) {
  const auto softplus = [](float x) {
    return std::max(x, 0.0F) + std::log1p(std::exp(-std::abs(x)));
  };
  const auto sigmoid = [](float x) { return 1 / (1 + std::exp(-x)); };
  switch (kind) {
    case KgLossKind::kMargin: {
      const float value = std::max(0.0F, margin + true_distance - false_distance);
      const float slope = value > 0 ? 1.0F : 0.0F;
      return {value, slope, -slope};
    }
    case KgLossKind::kNs:
      return {softplus(true_distance - margin) + softplus(margin - false_distance),
              sigmoid(true_distance - margin), -sigmoid(margin - false_distance)};
    case KgLossKind::kSoftmax:
      break;
  }
  refuse_case("loss of pairs");
}

}  // namespace acevec
