// Quadratically constrained entropy maximisation (QCEM), Kekeç, Mimno and Tax 2019, Eq. 5: the
// smoothest distribution near the data. No iterative program is needed: the optimality condition is
// a tridiagonal system, solved in O(classes) without a subtraction.
#pragma once

#include "noise/budget.h"
#include "noise/count_classes.h"

namespace acevec {

// Minimises ½ pᵀLp = ½ Σ (p_{i+1} − p_i)² subject to Σ m p = 1, p ≥ 0 and the budget. (The paper's
// Ω has a last row of zeros, which would add the square of the rarest word's p.) The multipliers
// satisfy L p + λ m w (p − d) = ν m; p ≥ 0 never binds (docs/noise.md has the proof). A fraction of
// 1 is the uniform distribution.
Noise solve_qcem(const CountClasses& classes, const Budget& budget);

}  // namespace acevec
