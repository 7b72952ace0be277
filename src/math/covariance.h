// Mean and covariance of a matrix's rows, and maps based on them: whitening and principal
// components. Results do not depend on the number of threads.
#pragma once

#include <cstdint>
#include <vector>

#include "math/matrix.h"

namespace acevec {

// A square matrix of doubles, row-major.
struct Square {
  explicit Square(int64_t n) : size(n), numbers(static_cast<size_t>(n * n)) {}
  double& at(int64_t i, int64_t k) { return numbers[static_cast<size_t>(i * size + k)]; }
  double* row(int64_t i) { return numbers.data() + i * size; }

  int64_t size;
  std::vector<double> numbers;
};

// Σ p v. `p`: a weight for each row.
std::vector<double> mean_of(const Matrix& rows, const std::vector<double>& p);

// The lower triangle of C = Σ p (v − μ)(v − μ)ᵀ; the rest is unspecified.
Square covariance(const Matrix& rows, const std::vector<double>& mean, const std::vector<double>& p,
                  int threads);

// out_i = M (v_i − mean) of each row v_i; M is out.columns() × rows.columns(). `out` may be `rows`.
void map_centred(const Matrix& rows, const std::vector<double>& mean, const Matrix& m, int threads,
                 Matrix& out);

// Whitens rows to mean 0 and covariance I: replaces each row v by L⁻¹(v − μ), with μ = Σ p v and
// C = Σ p (v − μ)(v − μ)ᵀ = L Lᵀ (Cholesky). The result is C^(−1/2)(v − μ) up to a rotation, so
// lengths, dot products and cosines are the same. 0.0001 of the mean variance is added to C's
// diagonal, in case there are fewer rows than columns. `p`: weights ≥ 0 of rows; their sum is 1.
// Rows with p = 0 are only mapped. Returns false, changing nothing, if the others are equal.
bool whiten(const std::vector<double>& p, int threads, Matrix& rows);

// Principal component analysis, to reduce the columns and keep most of the variance: row i of the
// result is Vᵀ(v_i − μ), with the mean μ of `rows` and the columns of V the `size` orthonormal
// eigenvectors of their covariance with the largest eigenvalues, in descending order. With all of
// them distances are unchanged. `size`: 1 .. rows.columns().
Matrix principal_components(const Matrix& rows, int64_t size, int threads);

}  // namespace acevec
