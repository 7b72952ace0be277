// Mean and covariance of the rows of a matrix, and linear maps of what is left without the mean.
#pragma once

#include <cstdint>
#include <vector>

#include "math/matrix.h"

namespace acevec {

// A square matrix in double, row by row.
struct Square {
  explicit Square(int64_t n) : size(n), numbers(static_cast<size_t>(n * n)) {}
  double& at(int64_t i, int64_t k) { return numbers[static_cast<size_t>(i * size + k)]; }
  double* row(int64_t i) { return numbers.data() + i * size; }

  int64_t size;
  std::vector<double> numbers;
};

// Σ p v. `p`: a number for each row.
std::vector<double> mean_of(const Matrix& rows, const std::vector<double>& p);

// C = Σ p (v − μ)(v − μ)ᵀ: its lower triangle, and more. The result does not depend on the number
// of threads.
Square covariance(const Matrix& rows, const std::vector<double>& mean, const std::vector<double>& p,
                  int threads);

// out_i = M (v_i − mean) for each row v_i, where M has rows.columns() columns and out.columns()
// rows. `out` may be `rows`. The result does not depend on the number of threads.
void map_centred(const Matrix& rows, const std::vector<double>& mean, const Matrix& m, int threads,
                 Matrix& out);

// The memory that covariance() takes beside the rows and C.
int64_t covariance_bytes(int64_t columns, int threads);

}  // namespace acevec
