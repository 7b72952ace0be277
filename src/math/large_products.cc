#include "math/large_products.h"

#include <algorithm>

namespace acevec {
namespace {

constexpr int64_t kFirstCache = 6 << 10;    // floats
constexpr int64_t kSecondCache = 48 << 10;  // floats

// So many rows that they fill a cache, a multiple of four, which kernels take together.
int64_t block_rows(int64_t cache, int64_t width) {
  return std::max<int64_t>(4, cache / width / 4 * 4);
}

}  // namespace

void score_tables(RowBlock a, RowBlock b, int64_t width, FloatRows scores) {
  const int64_t a_block = block_rows(kFirstCache, width);
  const int64_t b_block = block_rows(kSecondCache, width);
  for (int64_t j = 0; j < b.count; j += b_block) {
    for (int64_t i = 0; i < a.count; i += a_block) {
      score_rows({a.data + i * width, std::min(a_block, a.count - i)},
                 {b.data + j * width, std::min(b_block, b.count - j)}, width,
                 {scores.data + i * scores.stride + j, scores.stride});
    }
  }
}

void mix_tables(Weights weights, int64_t rows, RowBlock b, int64_t width, float* out) {
  constexpr int64_t kBlock = 64;  // rows of b: a panel of them fits the first cache
  constexpr int64_t kRows = 128;  // rows of the result: their weights stay in the second
  for (int64_t i = 0; i < rows; i += kRows) {
    for (int64_t k = 0; k < b.count; k += kBlock) {
      mix_rows({weights.data + i * weights.row_stride + k * weights.inner_stride,
                weights.row_stride, weights.inner_stride},
               std::min(kRows, rows - i), {b.data + k * width, std::min(kBlock, b.count - k)},
               width, out + i * width, true);
    }
  }
}

}  // namespace acevec
