#include "math/large_products.h"

#include <algorithm>

#include "base/parallel.h"

namespace acevec {
namespace {

constexpr int64_t kFirstCache = 6 << 10;    // floats
constexpr int64_t kSecondCache = 48 << 10;  // floats

// Rows of a result that a thread takes together: all kernels' tiles divide them, and a step of some
// hundred rows has work for many threads.
constexpr int64_t kRows = 24;

// So many rows that they fill a cache, a multiple of four, which kernels take together.
int64_t block_rows(int64_t cache, int64_t width) {
  return std::max<int64_t>(4, cache / width / 4 * 4);
}

int64_t blocks_of(int64_t count, int64_t size) {
  return (count + size - 1) / size;
}

}  // namespace

void score_tables(RowBlock a, RowBlock b, int64_t width, FloatRows scores, int threads) {
  const int64_t a_block = std::min(kRows, block_rows(kFirstCache, width));
  const int64_t b_block = block_rows(kSecondCache, width);
  const int64_t across = blocks_of(a.count, a_block);
  for_each_piece(threads, across * blocks_of(b.count, b_block), [&](int, int64_t piece) {
    const int64_t i = piece % across * a_block, j = piece / across * b_block;
    score_rows({a.data + i * width, std::min(a_block, a.count - i)},
               {b.data + j * width, std::min(b_block, b.count - j)}, width,
               {scores.data + i * scores.stride + j, scores.stride});
  });
}

void mix_tables(Weights weights, int64_t rows, RowBlock b, int64_t width, float* out, int threads,
                bool add) {
  constexpr int64_t kBlock = 64;     // rows of b: a panel of them fits the first cache
  constexpr int64_t kColumns = 128;  // of the result: b's stay in the second for all its rows
  const int64_t down = blocks_of(rows, kRows);
  for_each_piece(threads, down * blocks_of(width, kColumns), [&](int, int64_t piece) {
    const int64_t i = piece % down * kRows;
    const int64_t column = piece / down * kColumns;
    const RowWidth some(std::min(kColumns, width - column), width);
    for (int64_t k = 0; k < b.count; k += kBlock) {
      mix_rows({weights.data + i * weights.row_stride + k * weights.inner_stride,
                weights.row_stride, weights.inner_stride},
               std::min(kRows, rows - i),
               {b.data + k * width + column, std::min(kBlock, b.count - k)}, some,
               out + i * width + column, add || k > 0);
    }
  });
}

}  // namespace acevec
