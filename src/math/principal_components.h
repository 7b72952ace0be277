// Principal component analysis: fewer columns that keep most of the variance.
#pragma once

#include <cstdint>

#include "math/matrix.h"

namespace acevec {

// Row i of the result is Vᵀ(v_i − μ), with the mean μ of `rows` and the columns of V the `size`
// orthonormal eigenvectors of their covariance with the largest eigenvalues, the largest first.
// With all of them distances are those before. `size`: 1 .. rows.columns(). The result does not
// depend on the number of threads.
Matrix principal_components(const Matrix& rows, int64_t size, int threads);

}  // namespace acevec
