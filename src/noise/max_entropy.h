// The distribution of the largest entropy near the data (Kekeç, Mimno and Tax 2019, Eq. 4), which
// the paper finds too hard to solve and replaces by QCEM. Each probability is Lambert's W of two
// numbers that all share, so that two nested scalar roots solve it in O(classes).
#pragma once

#include "noise/budget.h"
#include "noise/count_classes.h"

namespace acevec {

// Maximises −Σ m p log p subject to Σ m p = 1 and the budget; p > 0 by itself. The multipliers
// satisfy log p + λ w (p − d) = ν. A fraction of 1 is the uniform distribution.
Noise solve_max_entropy(const CountClasses& classes, const Budget& budget);

}  // namespace acevec
