// Quadratically constrained entropy maximisation (QCEM), Kekeç, Mimno and Tax 2019, Eq. 5: the
// smoothest distribution near the data. No iterative program is needed: the optimality condition is
// a tridiagonal system, solved in O(classes) without a subtraction.
#pragma once

#include "noise/budget.h"
#include "noise/count_classes.h"

namespace acevec {

// What follows the rarest class, K, in the smoothing operator.
enum class SmoothingEnd {
  kNeumann,  // nothing: Σ (p_{i+1} − p_i)² over neighbouring classes, zero for uniform noise
  kPaper,    // the paper's Ω has a last row of zeros, which adds p_K²
};

struct QcemSettings {
  Budget budget{0.9, Precision::kIsotropic};
  SmoothingEnd end = SmoothingEnd::kNeumann;
};

// Minimises ½ pᵀLp = ½ Σ (p_{i+1} − p_i)² (+ ½ p_K²) subject to Σ m p = 1, p ≥ 0 and the budget.
// The multipliers satisfy L p + λ m w (p − d) = ν m; p ≥ 0 never binds (docs/noise.md has the
// proof). With kNeumann a fraction of 1 is the uniform distribution; with kPaper that is not the
// smoothest one, and the budget may not bind (λ = 0).
ClassNoise solve_qcem(const CountClasses& classes, const QcemSettings& settings);

}  // namespace acevec
