// Products of numbers rounded to bfloat16 (8 significant bits, the range of float), summed in
// float, on processors with an instruction for them: up to twice the rate of float, and more with a
// matrix unit (kernels/matrix_unit.h).
//
// The instruction multiplies pairs by pairs and adds both products to one sum. So numbers of one
// sum lie side by side: along a row for dot products, across two rows for sums of rows.
#pragma once

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

// Converts `count` rows r_i of `width` floats without gaps to pairs:
// along[i · stride + k] = (r_i[2k], r_i[2k + 1]), 2k < width; `stride` is even.
// across[i/2 · width + c] = (r_i[c], r_{i+1}[c]) for even i < count; r_count counts as 0.
void round_rows(const float* rows, int64_t count, int64_t width, Pair* along, int64_t stride,
                Pair* across);

// columns[k · lanes + i] = rows[i · stride + k] for k < inner, i < count: the transpose of rows of
// pairs. `stride` and `lanes` are multiples of kPairLanes; 0 for count ≤ i < lanes.
void transpose_pairs(const Pair* rows, int64_t count, int64_t stride, int64_t inner, Pair* columns,
                     int64_t lanes);

using PairWeights = WeightsOf<Pair>;
using PairRows = RowsOf<Pair>;

// Rows converted by round_rows().
struct RowPairs {
  // Holds at most `rows` rows of `floats` floats. Rows of pairs begin `pairs` apart.
  RowPairs(int64_t rows, int64_t floats, int64_t pairs)
      : width(floats), stride(pairs), along(rows * pairs), across((rows + 1) / 2 * floats) {}

  // Converts rows begin .. end − 1; `begin` is even.
  void round(const float* rows, int64_t begin, int64_t end) {
    round_rows(rows + begin * width, end - begin, width, along.data() + begin * stride, stride,
               across.data() + begin / 2 * width);
  }

  // Weight (i, k) is numbers 2k and 2k + 1 of row i; transposed, number i of rows 2k and 2k + 1.
  PairWeights weights() const { return {along.data(), stride, 1}; }
  PairWeights transposed() const { return {across.data(), 1, width}; }

  // The first `count` rows, two per row of pairs.
  PairRows rows(int64_t count) const { return {across.data(), width, (count + 1) / 2}; }

  int64_t width, stride;
  AlignedPairs along, across;
};

// out_i[c] = Σ_k weight(i, k) · b_k[c] for i < rows, k < b.count, c < columns, where each product
// is the sum of two; added to out_i if `add`. b's rows are readable to a multiple of kPairLanes.
void mix_pairs(PairWeights weights, int64_t rows, PairRows b, int64_t columns, FloatRows out,
               bool add);

// Weights and the rows that they weigh: for row i all of them, or only the pairs of rows with rows
// spans[i].first .. spans[i].last − 1.
struct PairTerm {
  PairWeights weights;
  PairRows rows;
};
struct PairSpans {
  PairWeights weights;
  PairRows rows;
  const Span* spans;
};

// out_i = the sum over the band's pairs, plus that of `all` unless it is null.
void mix_pair_spans(const PairSpans& band, int64_t rows, const PairTerm* all, int64_t columns,
                    FloatRows out);

// Weights in a band: row i has columns i + shift − window .. i + shift + window.
class BandPairs {
 public:
  // For at most `rows` rows, an even number, and 0 ≤ shift ≤ window.
  BandPairs(int64_t rows, int64_t window);

  // Converts `band`, where band[i · (2 · window + 1) + k] is row i, column i + shift − window + k.
  // Pairs outside the band become 0.
  void round(const float* band, int64_t rows, int64_t shift);

  // Weight (i, k) is row i, columns 2k and 2k + 1.
  PairWeights along() const { return {along_.data() + along_begin(), stride_ / 2, 1}; }

  // Weight (j, k) is column j, rows 2k and 2k + 1.
  PairWeights across() const { return {across_.data() + window_, 1, stride_}; }

 private:
  int64_t along_begin() const { return (window_ + 1) / 2; }  // of column 0: columns may be negative

  int64_t window_;
  int64_t stride_;  // stride of two rows; rows of along_ are half as far apart, plus a pair
  AlignedPairs along_, across_;
};

// score_band() for rows of pairs: along[] of round_rows(), with a stride that is a multiple of
// kPairLanes, and 0 after the rows' ends. b's rows have the same stride.
void score_pair_band(PairRows a, PairRows b, const Span* spans, FloatRows scores);

}  // namespace acevec
