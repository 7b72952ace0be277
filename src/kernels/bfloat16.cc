#include "kernels/bfloat16.h"

#include <hwy/highway.h>

#include <algorithm>

#include "kernels/instruction_sets.h"

namespace acevec {

void round_to_bfloat16(float* numbers, int64_t count) {
  for (int64_t i = 0; i < count; ++i) numbers[i] = from_bfloat16(to_bfloat16(numbers[i]));
}

// Rows are written as whole vectors, each over the zeros behind the one before.
BandPairs::BandPairs(int64_t rows, int64_t window)
    : window_(window),
      stride_(padded_pairs(2 * window + 2)),
      along_(rows * (stride_ / 2 + 1) + 2 * window + kPairLanes),
      across_(rows * (stride_ / 2 + 1) + 3 * window + kPairLanes) {}

#if HWY_ARCH_X86_64

bool has_bfloat16_products() {
  static const bool machine_has =
      __builtin_cpu_supports("avx512bf16") && __builtin_cpu_supports("avx512bw");
  return machine_has && instruction_set().starts_with("AVX-512");
}

}  // namespace acevec

#include "kernels/bfloat16-inl.h"
HWY_PUSH_ATTRIBUTES(ACEVEC_BFLOAT16_TARGET)
namespace acevec {
namespace {

// numbers[k] for `first` ≤ k < last, k < 16; the others are 0 and are not read.
HWY_INLINE __m512 load_between(const float* numbers, int64_t first, int64_t last) {
  const auto until = static_cast<uint32_t>(first_lanes(std::max<int64_t>(last, 0)));
  return _mm512_maskz_loadu_ps(static_cast<__mmask16>(until & ~((1U << first) - 1)), numbers);
}

HWY_INLINE __m512 multiply_add(__m512i a, __m512i b, __m512 sum) {
  return _mm512_dpbf16_ps(sum, (__m512bh)a, (__m512bh)b);
}

// Lanes t of 16 rows of 16 -> rows t: blocks of 8 rows and lanes change places, then of 4, 2, 1.
HWY_INLINE void transpose(__m512i* rows) {
  const __m512i lanes = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
#pragma GCC unroll 4
  for (int size = 8; size > 0; size /= 2) {
    const __m512i sizes = _mm512_set1_epi32(size);
    const __mmask16 odd = _mm512_test_epi32_mask(lanes, sizes);
    const __m512i upper = _mm512_add_epi32(lanes, _mm512_set1_epi32(16));
    const __m512i lower_of_both = _mm512_mask_sub_epi32(lanes, odd, upper, sizes);
    const __m512i upper_of_both = _mm512_mask_mov_epi32(_mm512_add_epi32(lanes, sizes), odd, upper);
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i) {
      if ((i & size) != 0) continue;
      const __m512i a = rows[i];
      const __m512i b = rows[i + size];
      rows[i] = _mm512_permutex2var_epi32(a, lower_of_both, b);
      rows[i + size] = _mm512_permutex2var_epi32(a, upper_of_both, b);
    }
  }
}

// kRows rows × kVectors vectors of the result; `last`: lanes of its last vector.
template <int kRows, int kVectors>
HWY_INLINE void mix_tile(PairWeights weights, PairRows b, __mmask16 last, FloatRows out, bool add) {
  const auto lanes = [&](int v) { return v + 1 < kVectors ? __mmask16{0xffff} : last; };
  __m512 sums[kRows][kVectors];
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) {
      sums[i][v] = add ? _mm512_maskz_loadu_ps(lanes(v), out.data + i * out.stride + v * kPairLanes)
                       : _mm512_setzero_ps();
    }
  }
  for (int64_t k = 0; k < b.count; ++k) {
    __m512i row[kVectors];
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) {
      row[v] = _mm512_loadu_si512(b.data + k * b.stride + v * kPairLanes);
    }
#pragma GCC unroll 16
    for (int i = 0; i < kRows; ++i) {
      const __m512i weight = _mm512_set1_epi32(
          static_cast<int>(weights.data[i * weights.row_stride + k * weights.inner_stride]));
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) sums[i][v] = multiply_add(weight, row[v], sums[i][v]);
    }
  }
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) {
      _mm512_mask_storeu_ps(out.data + i * out.stride + v * kPairLanes, lanes(v), sums[i][v]);
    }
  }
}

// All rows, for kVectors vectors of columns. A tile of few vectors has more rows: each sum takes
// part in one multiplication out of six at most.
template <int kVectors>
void mix_panel(PairWeights weights, int64_t rows, PairRows b, __mmask16 last, FloatRows out,
               bool add) {
  constexpr int kRows = kVectors <= 3 ? 8 : 4;
  const auto from = [&](int64_t i) {
    return PairWeights{weights.data + i * weights.row_stride, weights.row_stride,
                       weights.inner_stride};
  };
  const auto to = [&](int64_t i) { return FloatRows{out.data + i * out.stride, out.stride}; };
  int64_t i = 0;
  for (; i + kRows <= rows; i += kRows) {
    mix_tile<kRows, kVectors>(from(i), b, last, to(i), add);
  }
  for (; i < rows; ++i) mix_tile<1, kVectors>(from(i), b, last, to(i), add);
}

template <int kVectors>
void mix_span_panel(PairWeights weights, int64_t rows, PairRows b, const Span* spans,
                    __mmask16 last, FloatRows out) {
  for (int64_t i = 0; i < rows; ++i) {
    const int64_t first = spans[i].first;
    const Pair* const data = weights.data + i * weights.row_stride + first * weights.inner_stride;
    mix_tile<1, kVectors>({data, 0, weights.inner_stride},
                          {b.data + first * b.stride, b.stride, spans[i].last - first}, last,
                          {out.data + i * out.stride, out.stride}, false);
  }
}

// Columns cut into panels of at most `most` vectors, of nearly equal width: calls
// panel(first column, vectors, lanes of the last vector) for each.
template <class Panel>
HWY_INLINE void for_panels(int64_t columns, int64_t most, Panel&& panel) {
  const int64_t vectors = (columns + kPairLanes - 1) / kPairLanes;
  const int64_t panels = (vectors + most - 1) / most;
  int64_t done = 0;
  for (int64_t i = 0; i < panels; ++i) {
    const int64_t count = (vectors - done + panels - i - 1) / (panels - i);
    panel(done * kPairLanes, count, first_lanes(columns - (done + count - 1) * kPairLanes));
    done += count;
  }
}

// Four dot products, of a with rows of b.
HWY_INLINE void score_four(const Pair* a, const Pair* b, int64_t stride, float* scores) {
  __m512 sums[4];
#pragma GCC unroll 4
  for (__m512& sum : sums) sum = _mm512_setzero_ps();
  for (int64_t k = 0; k < stride; k += kPairLanes) {
    const __m512i row = _mm512_load_si512(a + k);
#pragma GCC unroll 4
    for (int j = 0; j < 4; ++j) {
      sums[j] = multiply_add(row, _mm512_load_si512(b + j * stride + k), sums[j]);
    }
  }
  // Transposed inside the blocks of four lanes, added, then across them.
  const __m512 ab =
      _mm512_add_ps(_mm512_unpacklo_ps(sums[0], sums[1]), _mm512_unpackhi_ps(sums[0], sums[1]));
  const __m512 cd =
      _mm512_add_ps(_mm512_unpacklo_ps(sums[2], sums[3]), _mm512_unpackhi_ps(sums[2], sums[3]));
  const __m512 all =
      _mm512_add_ps(_mm512_shuffle_ps(ab, cd, 0x44), _mm512_shuffle_ps(ab, cd, 0xee));
  const __m256 half = _mm256_add_ps(_mm512_castps512_ps256(all), _mm512_extractf32x8_ps(all, 1));
  _mm_storeu_ps(scores, _mm_add_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1)));
}

HWY_INLINE float dot(const Pair* a, const Pair* b, int64_t stride) {
  __m512 sum = _mm512_setzero_ps();
  for (int64_t k = 0; k < stride; k += kPairLanes) {
    sum = multiply_add(_mm512_load_si512(a + k), _mm512_load_si512(b + k), sum);
  }
  return _mm512_reduce_add_ps(sum);
}

}  // namespace

void round_rows(const float* rows, int64_t count, int64_t width, Pair* along, int64_t stride,
                Pair* across) {
  for (int64_t i = 0; i < count; i += 2) {
    const float* const row = rows + i * width;
    round_two_rows(row, i + 1 < count ? row + width : nullptr, width, along + i * stride, stride,
                   across + i / 2 * width);
  }
}

void transpose_pairs(const Pair* rows, int64_t count, int64_t stride, int64_t inner, Pair* columns,
                     int64_t lanes) {
  for (int64_t first = 0; first < lanes; first += kPairLanes) {
    for (int64_t begin = 0; begin < inner; begin += kPairLanes) {
      __m512i pairs[kPairLanes];
#pragma GCC unroll 16
      for (int64_t i = 0; i < kPairLanes; ++i) {
        pairs[i] = first + i < count ? _mm512_load_si512(rows + (first + i) * stride + begin)
                                     : _mm512_setzero_si512();
      }
      transpose(pairs);
      const int64_t wanted = std::min(kPairLanes, inner - begin);
      for (int64_t k = 0; k < wanted; ++k) {
        _mm512_store_si512(columns + (begin + k) * lanes + first, pairs[k]);
      }
    }
  }
}

void BandPairs::round(const float* band, int64_t rows, int64_t shift) {
  const int64_t width = 2 * window_ + 1;
  for (int64_t i = 0; i < rows; ++i) {
    const int64_t column = i + shift - window_;
    const int64_t odd = column & 1;  // the pair's first number is no column's of the band
    const float* const row = band + i * width - odd;
    Pair* const to = along_.data() + along_begin() + i * stride_ / 2 + (column - odd) / 2;
    for (int64_t k = 0; k < width + odd; k += kPairLanes) {
      const __m512 some = load_between(row + k, k == 0 ? odd : 0, width + odd - k);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + k / 2),
                          (__m256i)_mm512_cvtneps_pbh(some));
    }
  }
  for (int64_t i = 0; i < rows; i += 2) {
    const float* const row = band + i * width;
    const float* const next = row + width - 1;  // a column further
    const int64_t of_next = i + 1 < rows ? width + 1 : 0;
    Pair* const to = across_.data() + window_ + i / 2 * stride_ + i + shift - window_;
    for (int64_t k = 0; k <= width; k += kPairLanes) {
      const __m512i both = round_two(load_between(row + k, 0, width - k),
                                     load_between(next + k, k == 0 ? 1 : 0, of_next - k));
      _mm512_storeu_si512(to + k, interleaved(both));
    }
  }
}

void mix_pairs(PairWeights weights, int64_t rows, PairRows b, int64_t columns, FloatRows out,
               bool add) {
  using Panel = void (*)(PairWeights, int64_t, PairRows, __mmask16, FloatRows, bool);
  constexpr Panel kPanels[] = {nullptr,      mix_panel<1>, mix_panel<2>, mix_panel<3>,
                               mix_panel<4>, mix_panel<5>, mix_panel<6>};
  for_panels(columns, 6, [&](int64_t at, int64_t vectors, __mmask16 last) {
    kPanels[vectors](weights, rows, {b.data + at, b.stride, b.count}, last,
                     {out.data + at, out.stride}, add);
  });
}

void mix_pair_spans(PairWeights weights, int64_t rows, PairRows b, const Span* spans,
                    int64_t columns, FloatRows out) {
  using Panel = void (*)(PairWeights, int64_t, PairRows, const Span*, __mmask16, FloatRows);
  constexpr Panel kPanels[] = {nullptr,           mix_span_panel<1>, mix_span_panel<2>,
                               mix_span_panel<3>, mix_span_panel<4>, mix_span_panel<5>,
                               mix_span_panel<6>, mix_span_panel<7>, mix_span_panel<8>};
  for_panels(columns, 8, [&](int64_t at, int64_t vectors, __mmask16 last) {
    kPanels[vectors](weights, rows, {b.data + at, b.stride}, spans, last,
                     {out.data + at, out.stride});
  });
}

void score_pair_band(PairRows a, const Pair* b, const Span* spans, FloatRows scores) {
  const int64_t stride = a.stride;
  for (int64_t i = 0; i < a.count; ++i) {
    const Pair* const row = a.data + i * stride;
    float* const row_scores = scores.data + i * scores.stride;
    const int64_t last = spans[i].last;
    int64_t j = spans[i].first;
    if (last - j < 4) {
      for (; j < last; ++j) row_scores[j] = dot(row, b + j * stride, stride);
      continue;
    }
    for (; j + 4 <= last; j += 4) score_four(row, b + j * stride, stride, row_scores + j);
    // The rest together with some that are done already, as score_band() does it.
    if (j < last) score_four(row, b + (last - 4) * stride, stride, row_scores + last - 4);
  }
}

}  // namespace acevec
HWY_POP_ATTRIBUTES

#else

bool has_bfloat16_products() {
  return false;
}

}  // namespace acevec
#endif
