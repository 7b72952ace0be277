#include "math/covariance.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/parallel.h"
#include "math/aligned.h"
#include "math/table_products.h"

namespace acevec {
namespace {

constexpr int64_t kCentredRows = 512;  // most rows at a time
constexpr int64_t kPanel = 64;         // rows of C that a thread computes at a time

// Sets out_j to √p_j (row first + j − mean), j < count, rows.stride() floats apart; null p: all 1.
void centre_block(const Matrix& rows, const std::vector<double>& mean, const std::vector<double>* p,
                  int64_t first, int64_t count, float* out) {
  for (int64_t j = 0; j < count; ++j) {
    const float* const row = rows.row(first + j);
    const double factor = p != nullptr ? std::sqrt((*p)[static_cast<size_t>(first + j)]) : 1;
    for (size_t k = 0; k < mean.size(); ++k) {
      out[static_cast<size_t>(j * rows.stride()) + k] =
          static_cast<float>(factor * (static_cast<double>(row[k]) - mean[k]));
    }
  }
}

constexpr double kRidge = 1e-4;           // relative to the mean variance
constexpr double kLeastVariance = 1e-20;  // relative to the mean square; rows with less are equal

// Replaces the lower triangle of a matrix, whose eigenvalues are at least `least`, by its Cholesky
// factor L. The pivots are then at least `least` too, except for rounding.
void factorize(Square& c, double least) {
  for (int64_t i = 0; i < c.size; ++i) {
    for (int64_t k = 0; k <= i; ++k) {
      double sum = c.at(i, k);
      for (int64_t j = 0; j < k; ++j) sum -= c.at(i, j) * c.at(k, j);
      c.at(i, k) = i == k ? std::sqrt(std::max(sum, least)) : sum / c.at(k, k);
    }
  }
}

// L⁻¹, by forward substitution: row i needs those before it.
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

double product(const double* a, const double* b, int64_t n) {
  return std::inner_product(a, a + n, b, 0.0);
}

// Rotates rows a and b so that they become orthogonal. Returns false if they already are, or if one
// is only rounding error: a squared length of at most `least`.
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

// Replaces the rows of a symmetric C by its eigenvectors times their eigenvalues: rotations
// preserve the eigenvectors of CᵀC = C² (one-sided Jacobi, Hestenes 1958).
void rotate_to_eigenvectors(Square& c) {
  constexpr int kMostSweeps = 50;
  constexpr double kRounding = 1e-14;  // relative to the longest row
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

// The `size` longest rows of C, normalised; zero rows stay zero.
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

std::vector<double> mean_of(const Matrix& rows, const std::vector<double>& p) {
  std::vector<double> mean(static_cast<size_t>(rows.columns()));
  for (int64_t i = 0; i < rows.rows(); ++i) {
    const double share = p[static_cast<size_t>(i)];
    const float* const row = rows.row(i);
    for (size_t k = 0; k < mean.size(); ++k) mean[k] += share * static_cast<double>(row[k]);
  }
  return mean;
}

// Each thread computes whole rows, so that the order of summation is fixed.
Square covariance(const Matrix& rows, const std::vector<double>& mean, const std::vector<double>& p,
                  int threads) {
  const int64_t n = rows.columns(), width = rows.stride();
  Square c(n);
  in_blocks(threads, n, kPanel, [&](int64_t begin, int64_t end) {
    const int64_t count = end - begin;
    AlignedFloats block(kCentredRows * width);
    for (int64_t first = 0; first < rows.rows(); first += kCentredRows) {
      const int64_t filled = std::min(kCentredRows, rows.rows() - first);
      centre_block(rows, mean, &p, first, filled, block.data());
      AlignedFloats sums(count * width);
      mix_tables({block.data() + begin, 1, width}, count, {block.data(), filled}, width,
                 sums.data());
      for (int64_t i = 0; i < count; ++i) {
        for (int64_t k = 0; k <= begin + i; ++k) {
          c.at(begin + i, k) += static_cast<double>(sums.data()[i * width + k]);
        }
      }
    }
  });
  return c;
}

void map_centred(const Matrix& rows, const std::vector<double>& mean, const Matrix& m, int threads,
                 Matrix& out) {
  const int64_t width = rows.stride();
  in_blocks(threads, rows.rows(), kCentredRows, [&](int64_t first, int64_t end) {
    const int64_t count = end - first;
    AlignedFloats block(count * width);
    centre_block(rows, mean, nullptr, first, count, block.data());
    score_tables({block.data(), count}, {m.row(0), out.columns()}, width,
                 {out.row(first), out.stride()});
  });
}

bool whiten(const std::vector<double>& p, int threads, Matrix& rows) {
  const int64_t n = rows.columns();
  const std::vector<double> mean = mean_of(rows, p);
  Square c = covariance(rows, mean, p, threads);
  double variance = 0, square = 0;
  for (int64_t i = 0; i < n; ++i) variance += c.at(i, i) / static_cast<double>(n);
  for (const double number : mean) square += number * number / static_cast<double>(n);
  if (!(variance > kLeastVariance * (square + variance))) return false;
  const double ridge = kRidge * variance;
  for (int64_t i = 0; i < n; ++i) c.at(i, i) += ridge;
  factorize(c, ridge);
  map_centred(rows, mean, inverse_of(c), threads, rows);
  return true;
}

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
