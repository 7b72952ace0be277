// Products of numbers rounded to bfloat16 (8 significant bits, the range of float), summed in
// float, on processors with an instruction for them: up to twice the rate of float, and more with a
// matrix unit (kernels/matrix_unit.h).
//
// The instruction multiplies pairs by pairs and adds both products to one sum. So numbers of one
// sum lie side by side: along a row for dot products, across two rows for sums of rows.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "kernels/products.h"
#include "math/aligned.h"

namespace acevec {

// The precision of products; their sums, and the matrices, are always float.
enum class ProductPrecision {
  kFloat,
  kBfloat16,  // rows and gradients are rounded to 8 significant bits
};

using Pair = uint32_t;  // two numbers in bfloat16, the first in the lower half
using AlignedPairs = AlignedArray<Pair>;

// Pairs in a vector. They are as wide as floats: rows that are read as vectors have padded(pairs).
inline constexpr int64_t kPairLanes = kRowPadding;

// A number in bfloat16, the upper half of a float: rounded to nearest, ties to even; NaN stays NaN.
// This and the next three functions work on any machine.
inline uint16_t to_bfloat16(float number) {
  const auto bits = std::bit_cast<uint32_t>(number);
  const uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  return static_cast<uint16_t>(number == number ? rounded : bits >> 16 | 0x40);
}
inline float from_bfloat16(uint16_t half) {
  return std::bit_cast<float>(static_cast<uint32_t>(half) << 16);
}

void round_to_bfloat16(float* numbers, int64_t count);  // in place

// Numbers as operands of float products: themselves, or for kBfloat16 rounded `copies`.
const float* operands(const float* numbers, int64_t count, ProductPrecision precision,
                      AlignedFloats& copies);

// True if this machine has AVX-512 BF16 and the instruction set in use (kernels/instruction_sets.h)
// is AVX-512. Otherwise nothing below may be called.
bool has_bfloat16_products();

// True if these are faster than products of floats: with a matrix unit, and on AMD's processors. On
// Intel's, vectors of bfloat16 have no higher rate than those of float (docs/measured.md).
bool bfloat16_is_faster();

// How the pairs of a table lie in memory: pair c of row i at i · stride + c / 16 · step + c % 16.
// Row by row, step is 16. In strips of 16 columns, stride is 16, and the rows of a strip are
// contiguous.
struct PairLayout {
  int64_t stride, step;

  // The pairs in the memory of a table.
  int64_t size(int64_t rows, int64_t columns) const {
    return std::max(rows * columns, padded(columns) / kPairLanes * step);
  }
};

// The layout that products read fastest: strips for the matrix unit, which have room for a tile
// from any row on; else row by row.
PairLayout pair_layout(int64_t rows, int64_t columns);

// Pairs to read.
struct PairTable {
  const Pair* data;
  PairLayout layout;
  int64_t rows = 0;  // unused where spans select the rows

  // In strips `column` is a multiple of 16.
  PairTable from(int64_t row, int64_t column) const {
    const int64_t strip = column / kPairLanes;
    return {data + row * layout.stride + strip * layout.step + column % kPairLanes, layout,
            rows - row};
  }
};

// A table's memory, zeros at first.
struct PairMatrix {
  PairMatrix(int64_t rows, int64_t columns)
      : layout(pair_layout(rows, columns)), pairs(layout.size(rows, columns)) {}

  Pair* row(int64_t i) { return pairs.data() + i * layout.stride; }
  PairTable table(int64_t rows) const { return {pairs.data(), layout, rows}; }

  PairLayout layout;
  AlignedPairs pairs;
};

// Weight (i, k) is pair k of row i, or of a transposed table pair i of row k.
struct PairWeights {
  PairTable pairs;
  bool transposed = false;

  PairWeights from(int64_t i, int64_t k) const {
    return {transposed ? pairs.from(k, i) : pairs.from(i, k), transposed};
  }
};

// The tables that rows r_i of floats become: (r_i[2k], r_i[2k + 1]) is pair k of row i of `along`,
// and (r_i[c], r_{i+1}[c]) for even i is pair c of row i / 2 of `across`, with 0 for a row behind
// the last.
struct RowsAsPairs {
  Pair* along;
  PairLayout along_layout;
  Pair* across;
  PairLayout across_layout;
};

// Converts `count` rows of `width` floats without gaps.
void round_rows(const float* rows, int64_t count, int64_t width, const RowsAsPairs& to);

// These tables' memory.
struct RowPairs {
  // Holds at most `rows` rows of `floats` floats. Row by row, rows of `along` begin `pairs` apart.
  RowPairs(int64_t rows, int64_t floats, int64_t pairs)
      : width(floats), along(rows, pairs), across((rows + 1) / 2, floats) {}

  // The rows from `begin` on, an even number.
  RowsAsPairs from(int64_t begin) {
    return {along.row(begin), along.layout, across.row(begin / 2), across.layout};
  }

  // Weight (i, k) is numbers 2k and 2k + 1 of row i; transposed, number i of rows 2k and 2k + 1.
  PairWeights weights() const { return {along.table(0)}; }
  PairWeights transposed() const { return {across.table(0), true}; }

  // The first `count` rows, two per row of pairs.
  PairTable rows(int64_t count) const { return across.table((count + 1) / 2); }

  int64_t width;
  PairMatrix along, across;
};

// Pair i of row k of `columns` = pair k of row i for k < inner, i < rows.rows: the transpose. 0 for
// the other i < lanes. `lanes` is a multiple of kPairLanes.
void transpose_pairs(const PairTable& rows, int64_t inner, Pair* columns,
                     const PairLayout& columns_layout, int64_t lanes);

// out_i[c] = Σ_k weight(i, k) · b_k[c] for i < rows, k < b.rows, c < columns, where each product
// is the sum of two; added to out_i if `add`. b's rows are readable to a multiple of kPairLanes. In
// strips also those behind b.rows in a tile are read, and must be finite.
void mix_pairs(const PairWeights& weights, int64_t rows, const PairTable& b, int64_t columns,
               FloatRows out, bool add);

// Weights and the rows that they weigh: for row i all of them, or only the pairs of rows with rows
// spans[i].first .. spans[i].last − 1.
struct PairTerm {
  PairWeights weights;
  PairTable rows;
};
struct PairSpans {
  PairWeights weights;
  PairTable rows;
  const Span* spans;
};

// out_i = the sum over the band's pairs, plus that of `all` unless it is null. The band's weights
// without a span are 0.
void mix_pair_spans(const PairSpans& band, int64_t rows, const PairTerm* all, int64_t columns,
                    FloatRows out);

// Weights in a band: row i has columns i + shift − window .. i + shift + window. Others are 0.
class BandPairs {
 public:
  // For at most `rows` rows, an even number, and 0 ≤ shift ≤ window.
  BandPairs(int64_t rows, int64_t window);

  // Converts `band`, where band[i · (2 · window + 1) + k] is row i, column i + shift − window + k:
  // 0 for columns < 0.
  void round(const float* band, int64_t rows, int64_t shift);

  // Weight (i, k) is row i, columns 2k and 2k + 1.
  PairWeights along() const { return {{along_.data() + before_, {along_stride_, kPairLanes}}}; }

  // Weight (j, k) is column j, rows 2k and 2k + 1.
  PairWeights across() const {
    return {{across_.data() + before_, {across_stride_, kPairLanes}}, true};
  }

 private:
  int64_t window_;
  int64_t shift_ = 0;
  int64_t before_;  // pairs before column 0: columns may be negative
  int64_t along_stride_, across_stride_;
  AlignedPairs along_, across_;
};

// score_band() for the first `columns` pairs of rows, a multiple of kPairLanes.
void score_pair_band(const PairTable& a, const PairTable& b, const Span* spans, int64_t columns,
                     FloatRows scores);

}  // namespace acevec
