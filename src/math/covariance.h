// Mean and covariance of the rows of a matrix.
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

// Rows that are centred at a time, at most.
inline constexpr int64_t kCentredRows = 512;

// Σ p v. `p`: a number for each row.
std::vector<double> mean_of(const Matrix& rows, const std::vector<double>& p);

// out_j = √p_j (row first + j − mean) for j < count, with rows.stride() numbers between rows of
// `out`. `p`: null: 1 for each.
void centre_block(const Matrix& rows, const std::vector<double>& mean, const std::vector<double>* p,
                  int64_t first, int64_t count, float* out);

// C = Σ p (v − μ)(v − μ)ᵀ: its lower triangle, and more. The result does not depend on the number
// of threads.
Square covariance(const Matrix& rows, const std::vector<double>& mean, const std::vector<double>& p,
                  int threads);

// The memory that takes beside the rows and C.
int64_t covariance_bytes(int64_t columns, int threads);

}  // namespace acevec
