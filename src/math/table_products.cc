#include "math/table_products.h"

#include <algorithm>

#include "base/parallel.h"
#include "math/aligned.h"

namespace acevec {
namespace {

class FloatTables : public TableProducts {
 public:
  FloatTables(const Shape& shape, int threads) : shape_(shape), threads_(threads) {}

  void score(RowBlock a, RowBlock b, float* scores) override {
    a_ = a;
    b_ = b;
    score_tables(a, b, shape_.width, {scores, shape_.stride}, threads_);
  }

  void mix(const float* weights, float* a_changes, float* b_changes) override {
    mix_tables({weights, shape_.stride, 1}, a_.count, b_, shape_.width, a_changes, threads_);
    mix_tables({weights, 1, shape_.stride}, b_.count, a_, shape_.width, b_changes, threads_);
  }

 private:
  Shape shape_;
  int threads_;
  RowBlock a_{}, b_{};
};

// For machines that have no products of bfloat16: copies are rounded.
class RoundedTables : public TableProducts {
 public:
  RoundedTables(const Shape& shape, int threads)
      : shape_(shape),
        floats_(shape, threads),
        a_(shape.a_rows * shape.width),
        b_(shape.b_rows * shape.width),
        weights_(shape.a_rows * shape.stride) {}

  void score(RowBlock a, RowBlock b, float* scores) override {
    rows_ = a.count;
    floats_.score({rounded(a.data, a.count * shape_.width, a_), a.count},
                  {rounded(b.data, b.count * shape_.width, b_), b.count}, scores);
  }

  void mix(const float* weights, float* a_changes, float* b_changes) override {
    floats_.mix(rounded(weights, rows_ * shape_.stride, weights_), a_changes, b_changes);
  }

 private:
  static const float* rounded(const float* numbers, int64_t count, AlignedFloats& copy) {
    std::copy_n(numbers, count, copy.data());
    round_to_bfloat16(copy.data(), count);
    return copy.data();
  }

  Shape shape_;
  FloatTables floats_;
  AlignedFloats a_, b_, weights_;
  int64_t rows_ = 0;  // of a
};

#ifdef __x86_64__

constexpr int64_t kInner = 64;    // pairs that are summed up: a panel of them fits the first cache
constexpr int64_t kColumns = 96;  // rows of b that are scored together: a panel's columns
constexpr int64_t kTileRows = 128;      // of a result, for a thread
constexpr int64_t kMixedColumns = 192;  // likewise
constexpr int64_t kRounded = 32;        // rows that a thread rounds together, an even number

// By the processor's products. Each row is rounded once, into pairs along it for scores and pairs
// across two rows for sums of rows.
class Bfloat16Tables : public TableProducts {
 public:
  Bfloat16Tables(const Shape& shape, int threads)
      : shape_(shape),
        threads_(threads),
        inner_(shape.width / 2),
        row_stride_(padded_pairs(inner_)),
        a_along_(shape.a_rows * row_stride_),
        a_across_(pairs_of(shape.a_rows) * shape.width),
        b_along_(threads * kColumns * row_stride_),
        b_columns_(blocks_of(shape.b_rows) * inner_ * kColumns),
        b_across_(pairs_of(shape.b_rows) * shape.width),
        weights_along_(shape.a_rows * shape.stride / 2),
        weights_across_(pairs_of(shape.a_rows) * shape.stride) {}

  void score(RowBlock a, RowBlock b, float* scores) override {
    a_count_ = a.count;
    b_count_ = b.count;
    const int64_t width = shape_.width;
    round_blocks(a.data, a.count, width, a_along_.data(), row_stride_, a_across_.data());
    for_each_piece(threads_, blocks_of(b.count), [&](int thread, int64_t block) {
      const int64_t j = block * kColumns;
      const int64_t count = std::min(kColumns, b.count - j);
      Pair* const along = b_along_.data() + thread * kColumns * row_stride_;
      round_rows(b.data + j * width, count, width, along, row_stride_,
                 b_across_.data() + j / 2 * width);
      transpose_pairs(along, count, row_stride_, inner_, columns(block), kColumns);
    });
    for_each_tile(a.count, b.count, kColumns,
                  [&](int64_t i, int64_t rows, int64_t j, int64_t some) {
                    mix_in_parts({a_along_.data() + i * row_stride_, row_stride_, 1}, rows,
                                 {columns(j / kColumns), kColumns, inner_}, some,
                                 {scores + i * shape_.stride + j, shape_.stride}, false);
                  });
  }

  void mix(const float* weights, float* a_changes, float* b_changes) override {
    const int64_t width = shape_.width, stride = shape_.stride;
    round_blocks(weights, a_count_, stride, weights_along_.data(), stride / 2,
                 weights_across_.data());
    for_each_tile(a_count_, width, kMixedColumns,
                  [&](int64_t i, int64_t rows, int64_t column, int64_t some) {
                    mix_in_parts({weights_along_.data() + i * (stride / 2), stride / 2, 1}, rows,
                                 {b_across_.data() + column, width, pairs_of(b_count_)}, some,
                                 {a_changes + i * width + column, width}, true);
                  });
    for_each_tile(b_count_, width, kMixedColumns,
                  [&](int64_t j, int64_t rows, int64_t column, int64_t some) {
                    mix_in_parts({weights_across_.data() + j, 1, stride}, rows,
                                 {a_across_.data() + column, width, pairs_of(a_count_)}, some,
                                 {b_changes + j * width + column, width}, true);
                  });
  }

 private:
  static int64_t pairs_of(int64_t rows) { return (rows + 1) / 2; }
  static int64_t blocks_of(int64_t rows) { return (rows + kColumns - 1) / kColumns; }

  // The transposed rows of block `block` of b.
  Pair* columns(int64_t block) { return b_columns_.data() + block * inner_ * kColumns; }

  // round_rows() by the team.
  void round_blocks(const float* rows, int64_t count, int64_t width, Pair* along, int64_t stride,
                    Pair* across) const {
    in_blocks(threads_, count, kRounded, [&](int64_t begin, int64_t end) {
      round_rows(rows + begin * width, end - begin, width, along + begin * stride, stride,
                 across + begin / 2 * width);
    });
  }

  // Calls tile(first row, rows, first column, columns) for the tiles of a table.
  template <class Tile>
  void for_each_tile(int64_t rows, int64_t columns, int64_t most_columns, const Tile& tile) const {
    const int64_t across = (columns + most_columns - 1) / most_columns;
    for_each_piece(
        threads_, across * ((rows + kTileRows - 1) / kTileRows), [&](int, int64_t piece) {
          const int64_t i = piece / across * kTileRows, j = piece % across * most_columns;
          tile(i, std::min(kTileRows, rows - i), j, std::min(most_columns, columns - j));
        });
  }

  // mix_pairs() with sums of kInner pairs at a time.
  static void mix_in_parts(PairWeights weights, int64_t rows, PairRows b, int64_t columns,
                           FloatRows out, bool add) {
    for (int64_t k = 0; k < b.count; k += kInner) {
      mix_pairs({weights.data + k * weights.inner_stride, weights.row_stride, weights.inner_stride},
                rows, {b.data + k * b.stride, b.stride, std::min(kInner, b.count - k)}, columns,
                out, add || k > 0);
    }
  }

  Shape shape_;
  int threads_;
  int64_t inner_;       // pairs in a row
  int64_t row_stride_;  // and with padding
  AlignedPairs a_along_, a_across_;
  AlignedPairs b_along_;    // of the kColumns rows of each thread
  AlignedPairs b_columns_;  // by blocks of kColumns rows
  AlignedPairs b_across_;
  AlignedPairs weights_along_, weights_across_;
  int64_t a_count_ = 0, b_count_ = 0;
};

#endif

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

std::unique_ptr<TableProducts> make_table_products(ProductPrecision precision,
                                                   const TableProducts::Shape& shape, int threads) {
  if (precision == ProductPrecision::kFloat) return std::make_unique<FloatTables>(shape, threads);
#ifdef __x86_64__
  if (has_bfloat16_products()) return std::make_unique<Bfloat16Tables>(shape, threads);
#endif
  return std::make_unique<RoundedTables>(shape, threads);
}

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
  constexpr int64_t kBlock = 64;    // rows of b: a panel of them fits the first cache
  constexpr int64_t kAcross = 128;  // of the result: b's stay in the second for all its rows
  const int64_t down = blocks_of(rows, kRows);
  for_each_piece(threads, down * blocks_of(width, kAcross), [&](int, int64_t piece) {
    const int64_t i = piece % down * kRows;
    const int64_t column = piece / down * kAcross;
    const RowWidth some(std::min(kAcross, width - column), width);
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
