// Whitening: a linear map after which rows have mean 0 and covariance I.
#pragma once

#include <cstdint>
#include <vector>

#include "math/matrix.h"

namespace acevec {

// Replaces each row v by L⁻¹(v − μ), with μ = Σ p v and C = Σ p (v − μ)(v − μ)ᵀ = L Lᵀ (Cholesky).
// The result is C^(−1/2)(v − μ) up to a rotation, so lengths, dot products and cosines are the
// same. C gets 0.0001 of its mean variance added to its diagonal, for fewer rows than columns. `p`:
// a number ≥ 0 for each row; their sum is 1. Rows of p = 0 are mapped, and nothing else. Returns
// false, with the rows as they were, when all rows with p > 0 are equal. The result does not depend
// on the number of threads.
bool whiten(const std::vector<double>& p, int threads, Matrix& rows);

// The memory that takes beside the rows.
int64_t whitening_bytes(int64_t columns, int threads);

}  // namespace acevec
