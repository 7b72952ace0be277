#include "math/whitening.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "math/covariance.h"

namespace acevec {
namespace {

constexpr double kRidge = 1e-4;      // of the mean variance
constexpr double kRounding = 1e-20;  // of the mean square: less variance is that of equal rows

// The lower triangle of a matrix whose eigenvalues are all at least `least` becomes its Cholesky
// factor L. Its pivots are then no smaller, except by rounding.
void factorize(Square& c, double least) {
  for (int64_t i = 0; i < c.size; ++i) {
    for (int64_t k = 0; k <= i; ++k) {
      double sum = c.at(i, k);
      for (int64_t j = 0; j < k; ++j) sum -= c.at(i, j) * c.at(k, j);
      c.at(i, k) = i == k ? std::sqrt(std::max(sum, least)) : sum / c.at(k, k);
    }
  }
}

// L⁻¹ as rows for products, by forward substitution: row i needs those before it.
Matrix inverse_of(Square& l) {
  Square inverse(l.size);
  for (int64_t i = 0; i < l.size; ++i) {
    for (int64_t j = 0; j < i; ++j) {
      for (int64_t k = 0; k <= j; ++k) inverse.at(i, k) -= l.at(i, j) * inverse.at(j, k);
    }
    for (int64_t k = 0; k < i; ++k) inverse.at(i, k) /= l.at(i, i);
    inverse.at(i, i) = 1 / l.at(i, i);
  }
  Matrix rows(l.size, l.size);
  for (int64_t i = 0; i < l.size; ++i) {
    for (int64_t k = 0; k <= i; ++k) rows.row(i)[k] = static_cast<float>(inverse.at(i, k));
  }
  return rows;
}

}  // namespace

bool whiten(const std::vector<double>& p, int threads, Matrix& rows) {
  const int64_t n = rows.columns();
  const std::vector<double> mean = mean_of(rows, p);
  Square c = covariance(rows, mean, p, threads);
  double variance = 0, square = 0;
  for (int64_t i = 0; i < n; ++i) variance += c.at(i, i) / static_cast<double>(n);
  for (const double number : mean) square += number * number / static_cast<double>(n);
  if (!(variance > kRounding * (square + variance))) return false;
  const double ridge = kRidge * variance;
  for (int64_t i = 0; i < n; ++i) c.at(i, i) += ridge;
  factorize(c, ridge);
  map_centred(rows, mean, inverse_of(c), threads, rows);
  return true;
}

int64_t whitening_bytes(int64_t columns, int threads) {
  constexpr auto kDouble = static_cast<int64_t>(sizeof(double));
  return columns * (2 * columns * kDouble + padded(columns) * kFloatSize) +
         covariance_bytes(columns, threads);
}

}  // namespace acevec
