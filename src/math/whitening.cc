#include "math/whitening.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/parallel.h"
#include "math/aligned.h"
#include "math/large_products.h"

namespace acevec {
namespace {

constexpr double kRidge = 1e-4;      // of the mean variance
constexpr int64_t kBlock = 512;      // rows that are multiplied at a time
constexpr int64_t kPanel = 64;       // rows of C that a thread makes at a time
constexpr double kRounding = 1e-20;  // of the mean square: less variance is that of equal rows

// A square matrix in double, row by row.
struct Square {
  explicit Square(int64_t n) : size(n), numbers(static_cast<size_t>(n * n)) {}
  double& at(int64_t i, int64_t k) { return numbers[static_cast<size_t>(i * size + k)]; }

  int64_t size;
  std::vector<double> numbers;
};

std::vector<double> mean_of(const Matrix& rows, const std::vector<double>& p) {
  std::vector<double> mean(static_cast<size_t>(rows.columns()));
  for (int64_t i = 0; i < rows.rows(); ++i) {
    const double share = p[static_cast<size_t>(i)];
    const float* const row = rows.row(i);
    for (size_t k = 0; k < mean.size(); ++k) mean[k] += share * static_cast<double>(row[k]);
  }
  return mean;
}

// out_j = scale · (row first + j − mean) for j < count.
template <class Scale>
void centre_block(const Matrix& rows, const std::vector<double>& mean, int64_t first, int64_t count,
                  Scale&& scale, float* out) {
  for (int64_t j = 0; j < count; ++j) {
    const float* const row = rows.row(first + j);
    const double factor = scale(first + j);
    for (size_t k = 0; k < mean.size(); ++k) {
      out[static_cast<size_t>(j * rows.stride()) + k] =
          static_cast<float>(factor * (static_cast<double>(row[k]) - mean[k]));
    }
  }
}

// Its lower triangle, and more. Each thread makes whole rows of it, so that sums have one order.
Square covariance(const Matrix& rows, const std::vector<double>& mean, const std::vector<double>& p,
                  int threads) {
  const int64_t n = rows.columns(), width = rows.stride();
  Square c(n);
  for_each_piece(threads, (n + kPanel - 1) / kPanel, [&](int, int64_t piece) {
    const int64_t begin = piece * kPanel, count = std::min(kPanel, n - begin);
    AlignedFloats block(kBlock * width);
    for (int64_t first = 0; first < rows.rows(); first += kBlock) {
      const int64_t filled = std::min(kBlock, rows.rows() - first);
      centre_block(
          rows, mean, first, filled,
          [&](int64_t i) { return std::sqrt(p[static_cast<size_t>(i)]); }, block.data());
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
  const int64_t n = rows.columns(), width = rows.stride();
  const std::vector<double> mean = mean_of(rows, p);
  Square c = covariance(rows, mean, p, threads);
  double variance = 0, square = 0;
  for (int64_t i = 0; i < n; ++i) variance += c.at(i, i) / static_cast<double>(n);
  for (const double number : mean) square += number * number / static_cast<double>(n);
  if (!(variance > kRounding * (square + variance))) return false;
  const double ridge = kRidge * variance;
  for (int64_t i = 0; i < n; ++i) c.at(i, i) += ridge;
  factorize(c, ridge);
  const Matrix inverse = inverse_of(c);
  for_each_piece(threads, (rows.rows() + kBlock - 1) / kBlock, [&](int, int64_t piece) {
    const int64_t first = piece * kBlock, count = std::min(kBlock, rows.rows() - first);
    AlignedFloats block(count * width);
    centre_block(
        rows, mean, first, count, [](int64_t) { return 1.0; }, block.data());
    score_tables({block.data(), count}, {inverse.row(0), n}, width, {rows.row(first), width});
  });
  return true;
}

int64_t whitening_bytes(int64_t columns, int threads) {
  constexpr auto kDouble = static_cast<int64_t>(sizeof(double));
  return columns * (2 * columns * kDouble + padded(columns) * kFloatSize) +
         threads * (kBlock + kPanel) * padded(columns) * kFloatSize;
}

}  // namespace acevec
