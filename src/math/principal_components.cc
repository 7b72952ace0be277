#include "math/principal_components.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "math/covariance.h"

namespace acevec {
namespace {

double product(const double* a, const double* b, int64_t n) {
  return std::inner_product(a, a + n, b, 0.0);
}

// Rotates rows a and b so that they become orthogonal. Returns false when they are already, or one
// is nothing but rounding: less than `least` squared.
bool make_orthogonal(double* a, double* b, int64_t n, double least) {
  constexpr double kOrthogonal = 1e-12;
  const double aa = product(a, a, n), bb = product(b, b, n), ab = product(a, b, n);
  if (std::min(aa, bb) <= least || std::abs(ab) <= kOrthogonal * std::sqrt(aa * bb)) return false;
  const double zeta = (bb - aa) / (2 * ab);
  const double tangent = std::copysign(1 / (std::abs(zeta) + std::hypot(1, zeta)), zeta);
  const double cosine = 1 / std::hypot(1, tangent), sine = cosine * tangent;
  for (int64_t k = 0; k < n; ++k) {
    const double was = a[k];
    a[k] = cosine * was - sine * b[k];
    b[k] = sine * was + cosine * b[k];
  }
  return true;
}

// The rows of a symmetric C become its eigenvectors times their eigenvalues: rotations leave the
// eigenvectors of CᵀC = C² alone (one-sided Jacobi, Hestenes 1958).
void rotate_to_eigenvectors(Square& c) {
  constexpr int kMostSweeps = 50;
  constexpr double kRounding = 1e-14;  // of the longest row
  double longest = 0;
  for (int64_t i = 0; i < c.size; ++i) longest += product(c.row(i), c.row(i), c.size);
  const double least = kRounding * kRounding * longest;
  bool rotated = true;
  for (int sweep = 0; rotated && sweep < kMostSweeps; ++sweep) {
    rotated = false;
    for (int64_t i = 0; i < c.size; ++i) {
      for (int64_t k = i + 1; k < c.size; ++k) {
        rotated = make_orthogonal(c.row(i), c.row(k), c.size, least) || rotated;
      }
    }
  }
}

// The `size` longest rows of C, scaled to length 1; zeros stay zeros.
Matrix longest_rows(Square& c, int64_t size) {
  std::vector<std::pair<double, int64_t>> lengths;
  for (int64_t i = 0; i < c.size; ++i) {
    lengths.emplace_back(-std::sqrt(product(c.row(i), c.row(i), c.size)), i);
  }
  std::sort(lengths.begin(), lengths.end());
  Matrix units(size, c.size);
  for (int64_t i = 0; i < size; ++i) {
    const auto [negative, row] = lengths[static_cast<size_t>(i)];
    for (int64_t k = 0; k < c.size; ++k) {
      units.row(i)[k] = negative < 0 ? static_cast<float>(c.at(row, k) / -negative) : 0;
    }
  }
  return units;
}

}  // namespace

Matrix principal_components(const Matrix& rows, int64_t size, int threads) {
  const std::vector<double> p(static_cast<size_t>(rows.rows()),
                              1 / static_cast<double>(rows.rows()));
  const std::vector<double> mean = mean_of(rows, p);
  Square c = covariance(rows, mean, p, threads);
  for (int64_t i = 0; i < c.size; ++i) {
    for (int64_t k = 0; k < i; ++k) c.at(k, i) = c.at(i, k);
  }
  rotate_to_eigenvectors(c);
  Matrix components(rows.rows(), size);
  map_centred(rows, mean, longest_rows(c, size), threads, components);
  return components;
}

}  // namespace acevec
