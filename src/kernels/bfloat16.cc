#include "kernels/bfloat16.h"

#include <hwy/highway.h>

#include <algorithm>

#include "kernels/instruction_sets.h"
#include "kernels/matrix_unit.h"

namespace acevec {

void round_to_bfloat16(float* numbers, int64_t count) {
  for (int64_t i = 0; i < count; ++i) numbers[i] = from_bfloat16(to_bfloat16(numbers[i]));
}

const float* operands(const float* numbers, int64_t count, ProductPrecision precision,
                      AlignedFloats& copies) {
  if (precision == ProductPrecision::kFloat) return numbers;
  copies.grow(count);
  std::copy_n(numbers, count, copies.data());
  round_to_bfloat16(copies.data(), count);
  return copies.data();
}

bool has_bfloat16_products() {
#if HWY_ARCH_X86_64
  static const bool machine_has =
      __builtin_cpu_supports("avx512bf16") && __builtin_cpu_supports("avx512bw");
  return machine_has && instruction_set().starts_with("AVX-512");
#else
  return false;
#endif
}

bool bfloat16_is_faster() {
#if HWY_ARCH_X86_64
  return has_bfloat16_products() && (uses_matrix_unit() || __builtin_cpu_is("amd"));
#else
  return false;
#endif
}

PairLayout pair_layout(int64_t rows, int64_t columns) {
  if (!uses_matrix_unit()) return {columns, kPairLanes};
  // An odd number of cache lines spreads the strips over a cache's sets.
  const int64_t lines = (rows + kPairLanes - 1) | 1;
  return {kPairLanes, lines * kPairLanes};
}

// Rows are written as whole vectors, and read as tiles: hence what lies behind them.
BandPairs::BandPairs(int64_t rows, int64_t window)
    : window_(window),
      before_(padded(window)),
      along_stride_(before_ + padded(rows / 2 + window) + 2 * kPairLanes),
      across_stride_(before_ + padded(rows + 2 * window) + kPairLanes),
      along_(rows * along_stride_),
      across_(rows / 2 * across_stride_) {}

}  // namespace acevec

#if HWY_ARCH_X86_64
#include "kernels/bfloat16-inl.h"
HWY_PUSH_ATTRIBUTES(ACEVEC_BFLOAT16_TARGET)
namespace acevec {
namespace {

// numbers[k] for `first` ≤ k < last, k < 16; others are 0 and are not read.
HWY_INLINE __m512 load_between(const float* numbers, int64_t first, int64_t last) {
  const auto until = static_cast<uint32_t>(first_lanes(std::max<int64_t>(last, 0)));
  return _mm512_maskz_loadu_ps(static_cast<__mmask16>(until & ~((1U << first) - 1)), numbers);
}

struct PairArithmetic {
  using Number = Pair;
  using Vector = __m512i;
  using Sums = __m512;
  using Lanes = __mmask16;
  static constexpr Lanes kAll = 0xffff;
  static constexpr int64_t kLanes = kPairLanes;
  static constexpr int kSums = 24;
  static constexpr int kRowVectors = 14;

  static HWY_INLINE Lanes lanes_before(int64_t n) { return first_lanes(n); }
  static HWY_INLINE Span inner(Span span) { return {span.first / 2, (span.last + 1) / 2}; }
  static HWY_INLINE Vector load(const Pair* from) { return _mm512_loadu_si512(from); }
  static HWY_INLINE Vector repeat(Pair weight) {
    return _mm512_set1_epi32(static_cast<int>(weight));
  }
  static HWY_INLINE Sums zero() { return _mm512_setzero_ps(); }
  static HWY_INLINE Sums multiply_add(Vector a, Vector b, Sums sums) {
    return _mm512_dpbf16_ps(sums, (__m512bh)a, (__m512bh)b);
  }
  static HWY_INLINE Sums load_sums(const float* from, Lanes lanes) {
    return _mm512_maskz_loadu_ps(lanes, from);
  }
  static HWY_INLINE void store_sums(Sums sums, float* to, Lanes lanes) {
    _mm512_mask_storeu_ps(to, lanes, sums);
  }
  // Transposes within the blocks of four lanes, adds, then adds across the blocks.
  static HWY_INLINE void store_four_totals(const Sums (&s)[4], float* to) {
    const __m512 ab = _mm512_add_ps(_mm512_unpacklo_ps(s[0], s[1]), _mm512_unpackhi_ps(s[0], s[1]));
    const __m512 cd = _mm512_add_ps(_mm512_unpacklo_ps(s[2], s[3]), _mm512_unpackhi_ps(s[2], s[3]));
    const __m512 all =
        _mm512_add_ps(_mm512_shuffle_ps(ab, cd, 0x44), _mm512_shuffle_ps(ab, cd, 0xee));
    const __m256 half = _mm256_add_ps(_mm512_castps512_ps256(all), _mm512_extractf32x8_ps(all, 1));
    _mm_storeu_ps(to, _mm_add_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1)));
  }
  static HWY_INLINE float dot(const Pair* a, const Pair* b, int64_t columns) {
    __m512 sum = zero();
    for (int64_t k = 0; k < columns; k += kLanes) sum = multiply_add(load(a + k), load(b + k), sum);
    return _mm512_reduce_add_ps(sum);
  }
};

#include "kernels/tiles-inl.h"

RowsOf<Pair> by_row(const PairTable& table) {
  return {table.data, table.layout.stride, table.rows};
}

WeightsOf<Pair> by_row(const PairWeights& weights) {
  const int64_t stride = weights.pairs.layout.stride;
  return {weights.pairs.data, weights.transposed ? 1 : stride, weights.transposed ? stride : 1};
}

}  // namespace

void round_rows(const float* rows, int64_t count, int64_t width, const RowsAsPairs& to) {
  for (int64_t i = 0; i < count; i += 2) {
    const float* const row = rows + i * width;
    round_two_rows(row, i + 1 < count ? row + width : nullptr, width, from_row(i, to));
  }
}

void transpose_pairs(const PairTable& rows, int64_t inner, Pair* columns,
                     const PairLayout& columns_layout, int64_t lanes) {
  alignas(64) Pair all[kPairLanes * kPairLanes];
  const auto [stride, step] = columns_layout;
  for (int64_t first = 0; first < lanes; first += kPairLanes) {
    for (int64_t begin = 0; begin < inner; begin += kPairLanes) {
      const PairTable from = rows.from(first, begin);
      Pair* const to = columns + begin * stride + first / kPairLanes * step;
      const int64_t wanted = inner - begin;
      if (from.rows >= kPairLanes && wanted >= kPairLanes) {
        transpose(from.data, from.layout.stride, to, stride);
        continue;
      }
      for (int64_t i = 0; i < kPairLanes; ++i) {
        _mm512_store_si512(all + i * kPairLanes,
                           i < from.rows ? _mm512_loadu_si512(from.data + i * from.layout.stride)
                                         : _mm512_setzero_si512());
      }
      alignas(64) Pair transposed[kPairLanes * kPairLanes];
      transpose(all, kPairLanes, transposed, kPairLanes);
      for (int64_t k = 0; k < std::min(kPairLanes, wanted); ++k) {
        _mm512_store_si512(to + k * stride, _mm512_load_si512(transposed + k * kPairLanes));
      }
    }
  }
}

void BandPairs::round(const float* band, int64_t rows, int64_t shift) {
  if (shift != shift_) {
    along_.clear();
    across_.clear();
    shift_ = shift;
  }
  const int64_t width = 2 * window_ + 1;
  for (int64_t i = 0; i < rows; ++i) {
    const int64_t column = i + shift - window_;
    const int64_t odd = column & 1;  // then the first pair's first number is outside the band
    const float* const row = band + i * width - odd;
    Pair* const to = along_.data() + before_ + i * along_stride_ + (column - odd) / 2;
    for (int64_t k = 0; k < width + odd; k += kPairLanes) {
      const __m512 some = load_between(row + k, k == 0 ? odd : 0, width + odd - k);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + k / 2),
                          (__m256i)_mm512_cvtneps_pbh(some));
    }
  }
  for (int64_t i = 0; i < rows; i += 2) {
    const float* const row = band + i * width;
    const float* const next = row + width - 1;  // one column further
    const int64_t of_next = i + 1 < rows ? width + 1 : 0;
    Pair* const to = across_.data() + before_ + i / 2 * across_stride_ + i + shift - window_;
    for (int64_t k = 0; k <= width; k += kPairLanes) {
      const __m512i both = round_two(load_between(row + k, 0, width - k),
                                     load_between(next + k, k == 0 ? 1 : 0, of_next - k));
      _mm512_storeu_si512(to + k, interleaved(both));
    }
  }
}

void mix_pairs(const PairWeights& weights, int64_t rows, const PairTable& b, int64_t columns,
               FloatRows out, bool add) {
  if (uses_matrix_unit()) return mix_pairs_in_tiles(weights, rows, b, columns, out, add);
  MixColumns<PairArithmetic, false>(columns,
                                    {by_row(weights), rows, by_row(b), nullptr, out, {}, add});
}

void mix_pair_spans(const PairSpans& band, int64_t rows, const PairTerm* all, int64_t columns,
                    FloatRows out) {
  if (uses_matrix_unit()) return mix_spans_in_tiles(band, rows, all, columns, out);
  MixColumns<PairArithmetic, true>(
      columns, {by_row(band.weights), rows, by_row(band.rows), band.spans, out, {}, false});
  if (all != nullptr) mix_pairs(all->weights, rows, all->rows, columns, out, true);
}

void score_pair_band(const PairTable& a, const PairTable& b, const Span* spans, int64_t columns,
                     FloatRows scores) {
  if (uses_matrix_unit()) return score_band_in_tiles(a, b, spans, columns, scores);
  ScoreSpans<PairArithmetic>(by_row(a), b.data, spans, columns, scores);
}

}  // namespace acevec
HWY_POP_ATTRIBUTES
#endif
