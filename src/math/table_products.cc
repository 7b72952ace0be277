#include "math/table_products.h"

#include <algorithm>

#include "base/parallel.h"
#include "math/aligned.h"

namespace acevec {
namespace {

int64_t blocks_of(int64_t count, int64_t size) {
  return (count + size - 1) / size;
}

// Float products; for kBfloat16, without the processor's instructions, rows are rounded first.
class FloatTables : public TableProducts {
 public:
  FloatTables(ProductPrecision precision, const Shape& shape, int threads)
      : precision_(precision), shape_(shape), threads_(threads) {}

  void score(RowBlock a, RowBlock b, float* scores) override {
    a_ = {operands(a.data, a.count * shape_.width, precision_, a_copies_), a.count};
    b_ = {operands(b.data, b.count * shape_.width, precision_, b_copies_), b.count};
    score_tables(a_, b_, shape_.width, {scores, shape_.stride}, threads_);
  }

  void mix(const float* weights, float* a_changes, float* b_changes) override {
    weights = operands(weights, a_.count * shape_.stride, precision_, weight_copies_);
    mix_tables({weights, shape_.stride, 1}, a_.count, b_, shape_.width, a_changes, threads_);
    mix_tables({weights, 1, shape_.stride}, b_.count, a_, shape_.width, b_changes, threads_);
  }

 private:
  ProductPrecision precision_;
  Shape shape_;
  int threads_;
  RowBlock a_{}, b_{};
  AlignedFloats a_copies_, b_copies_, weight_copies_;
};

#ifdef __x86_64__

constexpr int64_t kInner = 64;    // pairs that are summed up: a panel of them fits in the L1 cache
constexpr int64_t kColumns = 96;  // rows of b that are scored at once: a panel's columns
constexpr int64_t kTileRows = 128;      // rows of a result that a thread takes at once
constexpr int64_t kMixedColumns = 192;  // columns, likewise
constexpr int64_t kRounded = 32;        // rows that a thread rounds at once, an even number

// Uses the processor's bfloat16 instructions. Each row is rounded once, into pairs along it for
// scores and pairs across two rows for sums of rows.
class Bfloat16Tables : public TableProducts {
 public:
  Bfloat16Tables(const Shape& shape, int threads)
      : threads_(threads),
        inner_(shape.width / 2),
        a_(shape.a_rows, shape.width, padded(inner_)),
        b_along_(threads * kColumns * a_.stride),
        b_columns_(blocks_of(shape.b_rows, kColumns) * kColumns * inner_),
        b_across_(blocks_of(shape.b_rows, 2) * shape.width),
        weights_(shape.a_rows, shape.stride, shape.stride / 2) {}

  void score(RowBlock a, RowBlock b, float* scores) override {
    a_count_ = a.count;
    b_count_ = b.count;
    round_blocks(a.data, a.count, a_);
    for_each_piece(threads_, blocks_of(b.count, kColumns), [&](int thread, int64_t block) {
      const int64_t j = block * kColumns;
      const int64_t count = std::min(kColumns, b.count - j);
      Pair* const along = b_along_.data() + thread * kColumns * a_.stride;
      round_rows(b.data + j * a_.width, count, a_.width, along, a_.stride,
                 b_across_.data() + j / 2 * a_.width);
      transpose_pairs(along, count, a_.stride, inner_, b_columns_.data() + j * inner_, kColumns);
    });
    mix_panels(a_.weights(), a.count, {{b_columns_.data(), kColumns, inner_}, kColumns, inner_},
               b.count, {scores, weights_.width}, false);
  }

  void mix(const float* weights, float* a_changes, float* b_changes) override {
    const int64_t width = a_.width;
    round_blocks(weights, a_count_, weights_);
    mix_panels(weights_.weights(), a_count_,
               {{b_across_.data(), width, blocks_of(b_count_, 2)}, kMixedColumns, 1}, width,
               {a_changes, width}, true);
    mix_panels(weights_.transposed(), b_count_, {a_.rows(a_count_), kMixedColumns, 1}, width,
               {b_changes, width}, true);
  }

 private:
  // Panels of columns: those from column j on begin at rows.data + j · step.
  struct Panels {
    PairRows rows;
    int64_t columns;
    int64_t step;
  };

  // RowPairs::round() by the team.
  void round_blocks(const float* rows, int64_t count, RowPairs& pairs) const {
    in_blocks(threads_, count, kRounded,
              [&](int64_t begin, int64_t end) { pairs.round(rows, begin, end); });
  }

  // mix_pairs() by the team, with sums of kInner pairs at a time.
  void mix_panels(PairWeights weights, int64_t rows, const Panels& b, int64_t columns,
                  FloatRows out, bool add) const {
    const int64_t across = blocks_of(columns, b.columns);
    for_each_piece(threads_, across * blocks_of(rows, kTileRows), [&](int, int64_t piece) {
      const int64_t i = piece / across * kTileRows, j = piece % across * b.columns;
      const auto [data, stride, count] = b.rows;
      for (int64_t k = 0; k < count; k += kInner) {
        mix_pairs(weights.from(i, k), std::min(kTileRows, rows - i),
                  {data + j * b.step + k * stride, stride, std::min(kInner, count - k)},
                  std::min(b.columns, columns - j), out.from(i, j), add || k > 0);
      }
    });
  }

  int threads_;
  int64_t inner_;  // pairs in a row, without padding
  RowPairs a_;
  AlignedPairs b_along_;    // each thread's kColumns rows
  AlignedPairs b_columns_;  // in blocks of kColumns rows
  AlignedPairs b_across_;
  RowPairs weights_;
  int64_t a_count_ = 0, b_count_ = 0;
};

#endif

constexpr int64_t kFirstCache = 6 << 10;    // floats
constexpr int64_t kSecondCache = 48 << 10;  // floats

// Rows of a result that a thread takes at once: a multiple of all kernels' tiles, and few enough
// that a step of some hundred rows has work for many threads.
constexpr int64_t kRows = 24;

// The number of rows that fill a cache, a multiple of four, which kernels process at once.
int64_t block_rows(int64_t cache, int64_t width) {
  return std::max<int64_t>(4, cache / width / 4 * 4);
}

}  // namespace

std::unique_ptr<TableProducts> make_table_products(ProductPrecision precision,
                                                   const TableProducts::Shape& shape, int threads) {
#ifdef __x86_64__
  if (precision == ProductPrecision::kBfloat16 && has_bfloat16_products()) {
    return std::make_unique<Bfloat16Tables>(shape, threads);
  }
#endif
  return std::make_unique<FloatTables>(precision, shape, threads);
}

void score_tables(RowBlock a, RowBlock b, int64_t width, FloatRows scores, int threads) {
  const int64_t a_block = std::min(kRows, block_rows(kFirstCache, width));
  const int64_t b_block = block_rows(kSecondCache, width);
  const int64_t across = blocks_of(a.count, a_block);
  for_each_piece(threads, across * blocks_of(b.count, b_block), [&](int, int64_t piece) {
    const int64_t i = piece % across * a_block, j = piece / across * b_block;
    score_rows({a.data + i * width, std::min(a_block, a.count - i)},
               {b.data + j * width, std::min(b_block, b.count - j)}, width, scores.from(i, j));
  });
}

void mix_tables(Weights weights, int64_t rows, RowBlock b, int64_t width, float* out, int threads,
                bool add) {
  constexpr int64_t kBlock = 64;    // rows of b: a panel of them fits in the L1 cache
  constexpr int64_t kAcross = 128;  // columns of the result: b's fit in the L2 cache
  const int64_t down = blocks_of(rows, kRows);
  for_each_piece(threads, down * blocks_of(width, kAcross), [&](int, int64_t piece) {
    const int64_t i = piece % down * kRows;
    const int64_t column = piece / down * kAcross;
    const RowWidth some(std::min(kAcross, width - column), width);
    for (int64_t k = 0; k < b.count; k += kBlock) {
      mix_rows(weights.from(i, k), std::min(kRows, rows - i),
               {b.data + k * width + column, std::min(kBlock, b.count - k)}, some,
               out + i * width + column, add || k > 0);
    }
  });
}

}  // namespace acevec
