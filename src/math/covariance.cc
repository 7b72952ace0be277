#include "math/covariance.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "math/aligned.h"
#include "math/large_products.h"

namespace acevec {
namespace {

constexpr int64_t kCentredRows = 512;  // at a time, at most
constexpr int64_t kPanel = 64;         // rows of C that a thread makes at a time

// out_j = √p_j (row first + j − mean) for j < count, with rows.stride() numbers between rows of
// `out`. `p`: null: 1 for each.
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

// Each thread makes whole rows of it, so that sums have one order.
Square covariance(const Matrix& rows, const std::vector<double>& mean, const std::vector<double>& p,
                  int threads) {
  const int64_t n = rows.columns(), width = rows.stride();
  Square c(n);
  for_each_piece(threads, (n + kPanel - 1) / kPanel, [&](int, int64_t piece) {
    const int64_t begin = piece * kPanel, count = std::min(kPanel, n - begin);
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
  for_each_piece(threads, (rows.rows() + kCentredRows - 1) / kCentredRows, [&](int, int64_t piece) {
    const int64_t first = piece * kCentredRows, count = std::min(kCentredRows, rows.rows() - first);
    AlignedFloats block(count * width);
    centre_block(rows, mean, nullptr, first, count, block.data());
    score_tables({block.data(), count}, {m.row(0), out.columns()}, width,
                 {out.row(first), out.stride()});
  });
}

int64_t covariance_bytes(int64_t columns, int threads) {
  return threads * (kCentredRows + kPanel) * padded(columns) * kFloatSize;
}

}  // namespace acevec
