#include "math/table_products.h"

#include <algorithm>
#include <vector>

#include "base/parallel.h"
#include "kernels/hogwild.h"
#include "kernels/instruction_sets.h"
#include "math/aligned.h"

namespace acevec {
namespace {

int64_t blocks_of(int64_t count, int64_t size) {
  return (count + size - 1) / size;
}

constexpr int64_t kGathered = 64;  // rows that a thread copies at once

// Float products; for kBfloat16, without the processor's instructions, rows are rounded first.
class FloatTables : public TableProducts {
 public:
  FloatTables(ProductPrecision precision, const Shape& shape, int threads)
      : precision_(precision), shape_(shape), threads_(threads) {}

  void score(RowBlock a, const Picked& b, float* scores) override {
    a_ = {operands(a.data, a.count * shape_.width, precision_, a_copies_), a.count};
    b_ = {operands(rows_of(b), b.count * shape_.width, precision_, b_copies_), b.count};
    score_tables(a_, b_, shape_.width, {scores, shape_.stride}, threads_);
  }

  void mix(const float* weights, float* a_changes, float* b_changes, bool add) override {
    weights = operands(weights, a_.count * shape_.stride, precision_, weight_copies_);
    mix_tables({weights, shape_.stride, 1}, a_.count, b_, shape_.width, a_changes, threads_, false);
    mix_tables({weights, 1, shape_.stride}, b_.count, a_, shape_.width, b_changes, threads_, add);
  }

 private:
  // The rows, copied if they are not consecutive.
  const float* rows_of(const Picked& b) {
    if (b.ids == nullptr) return b.matrix.row(0);
    b_rows_.grow(shape_.b_rows * shape_.width);
    in_blocks(threads_, b.count, kGathered, [&](int64_t begin, int64_t end) {
      gather_rows(b.matrix, b.ids + begin, end - begin, b_rows_.data() + begin * shape_.width);
    });
    return b_rows_.data();
  }

  ProductPrecision precision_;
  Shape shape_;
  int threads_;
  RowBlock a_{}, b_{};
  AlignedFloats b_rows_, a_copies_, b_copies_, weight_copies_;
};

#ifdef __x86_64__

constexpr int64_t kInner = 64;    // pairs that are summed up: a panel of them fits in the L1 cache
constexpr int64_t kColumns = 96;  // rows of b that are scored at once: a panel's columns
constexpr int64_t kTileRows = 128;      // rows of a result that a thread takes at once
constexpr int64_t kMixedColumns = 192;  // columns, likewise
constexpr int64_t kWideColumns = 768;   // the same where the unit first transposes weights
constexpr int64_t kRounded = 32;        // rows that a thread rounds at once, an even number

// Uses the processor's bfloat16 instructions. Each row is rounded once, into pairs along it for
// scores and pairs across two rows for sums of rows.
class Bfloat16Tables : public TableProducts {
 public:
  Bfloat16Tables(const Shape& shape, int threads)
      : threads_(threads),
        inner_(shape.width / 2),
        a_(shape.a_rows, shape.width, padded(inner_)),
        columns_layout_(pair_layout(inner_, kColumns)),
        columns_step_(columns_layout_.size(inner_, kColumns)),
        b_columns_(blocks_of(shape.b_rows, kColumns) * columns_step_),
        b_across_(blocks_of(shape.b_rows, 2), shape.width),
        weights_(shape.a_rows, shape.stride, shape.stride / 2) {
    for (int i = 0; i < threads; ++i) b_along_.emplace_back(kColumns, padded(inner_));
  }

  void score(RowBlock a, const Picked& b, float* scores) override {
    a_count_ = a.count;
    b_count_ = b.count;
    round_blocks(a.data, a.count, a_);
    for_each_piece(threads_, blocks_of(b.count, kColumns), [&](int thread, int64_t block) {
      const int64_t j = block * kColumns;
      const int64_t count = std::min(kColumns, b.count - j);
      PairMatrix& along = b_along_[static_cast<size_t>(thread)];
      const RowsAsPairs to{along.row(0), along.layout, b_across_.row(j / 2), b_across_.layout};
      if (b.ids == nullptr) {
        round_rows(b.matrix.row(j), count, a_.width, to);
      } else {
        gather_pairs(b.matrix, b.ids + j, count, to);
      }
      transpose_pairs(along.table(count), inner_, b_columns_.data() + block * columns_step_,
                      columns_layout_, kColumns);
    });
    mix_panels(a_.weights(), a.count,
               {{b_columns_.data(), columns_layout_, inner_}, kColumns, columns_step_}, b.count,
               {scores, weights_.width}, false);
  }

  void mix(const float* weights, float* a_changes, float* b_changes, bool add) override {
    const int64_t width = a_.width;
    round_blocks(weights, a_count_, weights_);
    mix_panels(weights_.weights(), a_count_,
               panels_of(b_across_.table(blocks_of(b_count_, 2)), kMixedColumns), width,
               {a_changes, width}, false);
    mix_panels(weights_.transposed(), b_count_,
               panels_of(a_.rows(a_count_), uses_matrix_unit() ? kWideColumns : kMixedColumns),
               width, {b_changes, width}, add);
  }

 private:
  // Panels of columns, each `step` pairs after the one before.
  struct Panels {
    PairTable rows;
    int64_t columns;
    int64_t step;
  };

  static Panels panels_of(const PairTable& rows, int64_t columns) {
    return {rows, columns, rows.from(0, columns).data - rows.data};
  }

  // round_rows() by the team.
  void round_blocks(const float* rows, int64_t count, RowPairs& pairs) const {
    in_blocks(threads_, count, kRounded, [&](int64_t begin, int64_t end) {
      round_rows(rows + begin * pairs.width, end - begin, pairs.width, pairs.from(begin));
    });
  }

  // mix_pairs() by the team, with sums of some pairs at a time.
  void mix_panels(const PairWeights& weights, int64_t rows, const Panels& b, int64_t columns,
                  FloatRows out, bool add) const {
    const int64_t across = blocks_of(columns, b.columns);
    const int64_t inner = uses_matrix_unit() ? b.rows.rows : kInner;
    for_each_piece(threads_, across * blocks_of(rows, kTileRows), [&](int, int64_t piece) {
      const int64_t i = piece / across * kTileRows, panel = piece % across;
      const int64_t j = panel * b.columns;
      for (int64_t k = 0; k < b.rows.rows; k += inner) {
        PairTable some = b.rows.from(k, 0);
        some.data += panel * b.step;
        some.rows = std::min(inner, some.rows);
        mix_pairs(weights.from(i, k), std::min(kTileRows, rows - i), some,
                  std::min(b.columns, columns - j), out.from(i, j), add || k > 0);
      }
    });
  }

  int threads_;
  int64_t inner_;  // pairs in a row, without padding
  RowPairs a_;
  std::vector<PairMatrix> b_along_;  // each thread's kColumns rows
  PairLayout columns_layout_;        // of kColumns rows, transposed
  int64_t columns_step_;             // pairs from one such block to the next
  AlignedPairs b_columns_;
  PairMatrix b_across_;
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
