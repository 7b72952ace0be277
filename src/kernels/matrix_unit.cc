#include "kernels/matrix_unit.h"

#include <algorithm>
#include <span>

#include "kernels/bfloat16-inl.h"

#if HWY_ARCH_X86_64 && defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>

namespace acevec {
namespace {

constexpr int64_t kSide = 16;  // rows of a tile, and pairs or sums in a row
constexpr int64_t kTilePairs = kSide * kSide;
constexpr int64_t kMostTerms = 16;  // terms that are summed at once

struct Tile {
  const Pair* data;
  int64_t stride;
};

}  // namespace

bool has_matrix_unit() {
  constexpr int64_t kRequestState = 0x1023;  // ARCH_REQ_XCOMP_PERM
  constexpr int64_t kTileData = 18;          // its argument
  static const bool has = [] {
    unsigned a = 0, b = 0, c = 0, d = 0;
    __asm__("cpuid" : "=a"(a), "=b"(b), "=c"(c), "=d"(d) : "a"(7), "c"(0));
    const bool processor_has = __builtin_cpu_supports("avx512bf16") != 0 &&  //
                               (d >> 22 & 1) != 0 && (d >> 24 & 1) != 0;
    return processor_has && syscall(SYS_arch_prctl, kRequestState, kTileData) == 0;
  }();
  return has;
}

}  // namespace acevec

HWY_PUSH_ATTRIBUTES(ACEVEC_BFLOAT16_TARGET)
namespace acevec {
namespace {

// Once per thread: all tiles have 16 rows of 64 bytes. Never released: only acevec uses them.
HWY_INLINE void configure_tiles() {
  thread_local bool configured = false;
  if (configured) return;
  struct alignas(64) {
    uint8_t palette = 1, start_row = 0, reserved[14] = {};
    uint16_t bytes_in_row[16] = {64, 64, 64, 64, 64, 64, 64, 64};
    uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
  } shapes;
  __asm__ volatile("ldtilecfg %0" : : "m"(shapes));
  configured = true;
}

// The unit's instructions, which encode their tiles. GCC's intrinsics do not take template
// parameters, and hide from the compiler that they read memory.
template <int kTile>
HWY_INLINE void zero_tile() {
  __asm__ volatile("tilezero %%tmm%c0" : : "i"(kTile));
}
template <int kTile>
HWY_INLINE void load_tile(const void* from, int64_t stride) {
  __asm__ volatile("tileloadd (%0,%1,1), %%tmm%c2"
                   :
                   : "r"(from), "r"(stride * 4), "i"(kTile)
                   : "memory");
}
template <int kTile>
HWY_INLINE void store_tile(float* to, int64_t stride) {
  __asm__ volatile("tilestored %%tmm%c2, (%0,%1,1)"
                   :
                   : "r"(to), "r"(stride * 4), "i"(kTile)
                   : "memory");
}
// sums_ij += Σ_k weights_ik · b_kj, over pairs.
template <int kSums, int kWeights, int kB>
HWY_INLINE void multiply_tiles() {
  __asm__ volatile("tdpbf16ps %%tmm%c2, %%tmm%c1, %%tmm%c0" : : "i"(kSums), "i"(kWeights), "i"(kB));
}

// Tiles 0 .. 3 hold sums, two rows of two; 4 and 5 the weights; 6 and 7 the rows that are summed.
template <int kRows, int kColumns>
HWY_INLINE void multiply(const Tile (&weights)[2], const Tile (&b)[2]) {
  load_tile<4>(weights[0].data, weights[0].stride);
  load_tile<6>(b[0].data, b[0].stride);
  multiply_tiles<0, 4, 6>();
  if constexpr (kColumns > 1) {
    load_tile<7>(b[1].data, b[1].stride);
    multiply_tiles<1, 4, 7>();
  }
  if constexpr (kRows > 1) {
    load_tile<5>(weights[1].data, weights[1].stride);
    multiply_tiles<2, 5, 6>();
    if constexpr (kColumns > 1) multiply_tiles<3, 5, 7>();
  }
}

// The destination of a tile of sums: the first `rows` × `columns` of `out`.
struct Part {
  float* out;
  int64_t stride, rows, columns;

  bool whole() const { return rows >= kSide && columns >= kSide; }
};

template <int kTile>
HWY_INLINE void begin_sums(const Part& part, bool add) {
  if (add && part.whole()) {
    load_tile<kTile>(part.out, part.stride);
  } else {
    zero_tile<kTile>();
  }
}

template <int kTile>
HWY_INLINE void end_sums(const Part& part, bool add) {
  if (part.whole()) {
    store_tile<kTile>(part.out, part.stride);
    return;
  }
  alignas(64) float sums[kTilePairs];
  store_tile<kTile>(sums, kSide);
  const __mmask16 some = first_lanes(part.columns);
  for (int64_t i = 0; i < std::min(part.rows, kSide); ++i) {
    float* const to = part.out + i * part.stride;
    const __m512 before = add ? _mm512_maskz_loadu_ps(some, to) : _mm512_setzero_ps();
    _mm512_mask_storeu_ps(to, some, _mm512_add_ps(before, _mm512_load_ps(sums + i * kSide)));
  }
}

// The lanes of weights in use: first[i] .. last[i] − 1 of row i.
struct Lanes {
  __m512i first, last;

  // Pairs 0 .. pairs − 1 of rows 0 .. rows − 1.
  static HWY_INLINE Lanes all(int64_t rows, int64_t pairs) {
    return {_mm512_setzero_si512(),
            _mm512_maskz_set1_epi32(first_lanes(rows), static_cast<int>(pairs))};
  }
};

// Packs a tile of weights, 0 in unused lanes, which are not read.
HWY_INLINE Tile pack_weights(PairWeights weights, const Lanes& lanes, Pair* packed) {
  if (weights.row_stride == 1) {
    alignas(64) Pair rows[kTilePairs];
    for (int k = 0; k < kSide; ++k) {
      const __m512i place = _mm512_set1_epi32(k);
      const __mmask16 some =
          _mm512_cmple_epi32_mask(lanes.first, place) & _mm512_cmplt_epi32_mask(place, lanes.last);
      _mm512_store_si512(rows + k * kSide,
                         _mm512_maskz_loadu_epi32(some, weights.data + k * weights.inner_stride));
    }
    transpose(rows, kSide, packed, kSide);
    return {packed, kSide};
  }
  const __m512i places = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  alignas(64) int32_t first[kSide], last[kSide];
  _mm512_store_si512(first, lanes.first);
  _mm512_store_si512(last, lanes.last);
  for (int i = 0; i < kSide; ++i) {
    const __mmask16 some = _mm512_cmple_epi32_mask(_mm512_set1_epi32(first[i]), places) &
                           _mm512_cmplt_epi32_mask(places, _mm512_set1_epi32(last[i]));
    _mm512_store_si512(packed + i * kSide,
                       _mm512_maskz_loadu_epi32(some, weights.data + i * weights.row_stride));
  }
  return {packed, kSide};
}

// A tile of `rows` × `pairs` weights. Those that fill a tile are used in place; others are packed.
HWY_INLINE Tile take_weights(PairWeights weights, int64_t rows, int64_t pairs, Pair* packed) {
  if (rows >= kSide && pairs >= kSide && weights.inner_stride == 1) {
    return {weights.data, weights.row_stride};
  }
  return pack_weights(weights, Lanes::all(rows, std::min(pairs, kSide)), packed);
}

// 16 columns of b's first 16 rows, padded with rows of zeros.
HWY_INLINE Tile take_rows(PairRows b, Pair* packed) {
  if (b.count >= kSide) return {b.data, b.stride};
  for (int64_t k = 0; k < kSide; ++k) {
    _mm512_store_si512(packed + k * kSide, k < b.count ? _mm512_loadu_si512(b.data + k * b.stride)
                                                       : _mm512_setzero_si512());
  }
  return {packed, kSide};
}

// 16 pairs along a sum: two tiles of weights, one below the other, and the rows that they weigh.
struct Term {
  Tile weights[2];
  PairRows rows;
};

// Computes kRows × kColumns tiles of sums of the terms, from `column` on.
template <int kRows, int kColumns>
HWY_INLINE void sum_tiles(std::span<const Term> terms, int64_t column, const Part& out, bool add) {
  const auto part = [&](int64_t i, int64_t j) {
    return Part{out.out + i * kSide * out.stride + column + j * kSide, out.stride,
                out.rows - i * kSide, out.columns - column - j * kSide};
  };
  begin_sums<0>(part(0, 0), add);
  if constexpr (kColumns > 1) begin_sums<1>(part(0, 1), add);
  if constexpr (kRows > 1) begin_sums<2>(part(1, 0), add);
  if constexpr (kRows > 1 && kColumns > 1) begin_sums<3>(part(1, 1), add);
  alignas(64) Pair packed[2][kTilePairs];
  for (const Term& term : terms) {
    const auto [data, stride, count] = term.rows;
    Tile rows[2] = {take_rows({data + column, stride, count}, packed[0]), {}};
    if constexpr (kColumns > 1) {
      rows[1] = take_rows({data + column + kSide, stride, count}, packed[1]);
    }
    multiply<kRows, kColumns>(term.weights, rows);
  }
  end_sums<0>(part(0, 0), add);
  if constexpr (kColumns > 1) end_sums<1>(part(0, 1), add);
  if constexpr (kRows > 1) end_sums<2>(part(1, 0), add);
  if constexpr (kRows > 1 && kColumns > 1) end_sums<3>(part(1, 1), add);
}

template <int kRows>
HWY_INLINE void sum_all_columns(std::span<const Term> terms, const Part& out, bool add) {
  int64_t column = 0;
  for (; column + kSide < out.columns; column += 2 * kSide) {
    sum_tiles<kRows, 2>(terms, column, out, add);
  }
  if (column < out.columns) sum_tiles<kRows, 1>(terms, column, out, add);
}

// Sums for up to 32 rows; terms are collected and then summed at once.
class RowSums {
 public:
  RowSums(const Part& out, bool add) : out_(out), add_(add) {}

  // Adds weight(i, k) · b_k for all rows.
  HWY_INLINE void add(PairWeights weights, PairRows b) {
    for (int64_t k = 0; k < b.count; k += kSide) {
      Term& term = next(b, k);
      for (int64_t t = 0; t * kSide < out_.rows && t < 2; ++t) {
        term.weights[t] = take_weights(weights.from(t * kSide, k), out_.rows - t * kSide,
                                       b.count - k, packed_[count_ - 1][t]);
      }
    }
  }

  // Adds only the pairs k with rows of spans[i]; takes at most 16 rows.
  HWY_INLINE void add_spans(PairWeights weights, PairRows b, const Span* spans) {
    alignas(64) int32_t firsts[kSide] = {}, lasts[kSide] = {};
    int32_t first = INT32_MAX, last = 0;
    for (int64_t i = 0; i < std::min(out_.rows, kSide); ++i) {
      if (spans[i].first >= spans[i].last) continue;
      firsts[i] = spans[i].first / 2;
      lasts[i] = (spans[i].last + 1) / 2;
      first = std::min(first, firsts[i]);
      last = std::max(last, lasts[i]);
    }
    // Uses whole tiles of b, if it has enough rows.
    int64_t k = std::max<int64_t>(std::min<int64_t>(first, b.count - kSide), 0);
    for (; k < last; k += kSide) {
      const __m512i place = _mm512_set1_epi32(static_cast<int>(k));
      const Lanes lanes{_mm512_sub_epi32(_mm512_load_si512(firsts), place),
                        _mm512_sub_epi32(_mm512_load_si512(lasts), place)};
      Term& term = next(b, k);
      term.weights[0] = pack_weights(weights.from(0, k), lanes, packed_[count_ - 1][0]);
    }
  }

  // Writes the sums of the terms; zeros without terms.
  HWY_INLINE void write() {
    const std::span<const Term> terms(terms_, static_cast<size_t>(count_));
    if (out_.rows > kSide) {
      sum_all_columns<2>(terms, out_, add_);
    } else {
      sum_all_columns<1>(terms, out_, add_);
    }
    add_ = true;
    count_ = 0;
  }

 private:
  HWY_INLINE Term& next(PairRows b, int64_t k) {
    if (count_ == kMostTerms) write();
    Term& term = terms_[count_++];
    term.rows = {b.data + k * b.stride, b.stride, b.count - k};
    return term;
  }

  Part out_;
  bool add_;
  int64_t count_ = 0;
  Term terms_[kMostTerms];
  alignas(64) Pair packed_[kMostTerms][2][kTilePairs];
};

HWY_INLINE Part rows_from(int64_t i, int64_t rows, int64_t columns, FloatRows out) {
  return {out.data + i * out.stride, out.stride, rows - i, columns};
}

// Extracts the spans' scores from a tile whose columns are rows first .. first + 15 of b.
template <int kTile>
HWY_INLINE void take_scores(const Span* spans, int64_t rows, int64_t first, FloatRows scores) {
  alignas(64) float sums[kTilePairs];
  store_tile<kTile>(sums, kSide);
  for (int64_t i = 0; i < std::min(rows, kSide); ++i) {
    const int64_t begin = std::max<int64_t>(spans[i].first - first, 0);
    const int64_t end = std::min<int64_t>(spans[i].last - first, kSide);
    if (begin >= end) continue;
    const auto some = static_cast<__mmask16>(first_lanes(end) & ~first_lanes(begin));
    _mm512_mask_storeu_ps(scores.data + i * scores.stride + first, some,
                          _mm512_load_ps(sums + i * kSide));
  }
}

// Computes the scores of kTiles tiles of rows with the 16 rows of b from `first` on.
template <int kTiles>
HWY_INLINE void score_tiles(PairRows a, PairRows b, const Span* spans, int64_t first,
                            FloatRows scores) {
  const auto each = [&](auto&& part) {
    part(std::integral_constant<int, 0>());
    if constexpr (kTiles > 1) part(std::integral_constant<int, 1>());
    if constexpr (kTiles > 2) part(std::integral_constant<int, 2>());
    if constexpr (kTiles > 3) part(std::integral_constant<int, 3>());
  };
  each([](auto tile) { zero_tile<tile.value>(); });
  alignas(64) Pair columns[kTilePairs], packed[kTilePairs];
  for (int64_t k = 0; k < a.stride; k += kSide) {
    transpose_pairs(b.data + first * b.stride + k, b.count - first, b.stride, kSide, columns,
                    kSide);
    load_tile<6>(columns, kSide);
    each([&](auto tile) {
      constexpr int kWeights = 4 + tile.value % 2;
      const Tile rows = take_weights({a.data + tile.value * kSide * a.stride + k, a.stride, 1},
                                     a.count - tile.value * kSide, kSide, packed);
      load_tile<kWeights>(rows.data, rows.stride);
      multiply_tiles<tile.value, kWeights, 6>();
    });
  }
  each([&](auto tile) {
    constexpr int64_t kRow = tile.value * kSide;
    take_scores<tile.value>(spans + kRow, a.count - kRow, first,
                            {scores.data + kRow * scores.stride, scores.stride});
  });
}

// For up to 64 rows of a.
HWY_INLINE void score_four_tiles(PairRows a, PairRows b, const Span* spans, FloatRows scores) {
  Span reaches[4] = {};  // spans of each tile, in rows of b
  Span all{INT32_MAX, 0};
  const int64_t tiles = (a.count + kSide - 1) / kSide;
  for (int64_t i = 0; i < a.count; ++i) {
    if (spans[i].first >= spans[i].last) continue;
    Span& reach = reaches[i / kSide];
    reach.first = reach.last == 0 ? spans[i].first : std::min(reach.first, spans[i].first);
    reach.last = std::max(reach.last, spans[i].last);
    all = {std::min(all.first, reach.first), std::max(all.last, reach.last)};
  }
  for (int64_t first = all.first / kSide * kSide; first < all.last; first += kSide) {
    const auto overlaps = [&](const Span& reach) {
      return reach.first < first + kSide && reach.last > first;
    };
    const Span* const begin = std::find_if(reaches, reaches + tiles, overlaps);
    const Span* end = reaches + tiles;
    while (end > begin && !overlaps(end[-1])) --end;
    const int64_t row = (begin - reaches) * kSide;
    const PairRows some{a.data + row * a.stride, a.stride, a.count - row};
    const FloatRows to{scores.data + row * scores.stride, scores.stride};
    if (end - begin == 1) score_tiles<1>(some, b, spans + row, first, to);
    if (end - begin == 2) score_tiles<2>(some, b, spans + row, first, to);
    if (end - begin == 3) score_tiles<3>(some, b, spans + row, first, to);
    if (end - begin == 4) score_tiles<4>(some, b, spans + row, first, to);
  }
}

}  // namespace

void mix_pairs_in_tiles(PairWeights weights, int64_t rows, PairRows b, int64_t columns,
                        FloatRows out, bool add) {
  configure_tiles();
  for (int64_t i = 0; i < rows; i += 2 * kSide) {
    RowSums sums(rows_from(i, rows, columns, out), add);
    sums.add(weights.from(i, 0), b);
    sums.write();
  }
}

void mix_spans_in_tiles(const PairSpans& band, int64_t rows, const PairTerm* all, int64_t columns,
                        FloatRows out) {
  configure_tiles();
  for (int64_t i = 0; i < rows; i += kSide) {
    Part part = rows_from(i, rows, columns, out);
    part.rows = std::min(part.rows, kSide);
    RowSums sums(part, false);
    sums.add_spans(band.weights.from(i, 0), band.rows, band.spans + i);
    if (all != nullptr) sums.add(all->weights.from(i, 0), all->rows);
    sums.write();
  }
}

void score_band_in_tiles(PairRows a, PairRows b, const Span* spans, FloatRows scores) {
  configure_tiles();
  constexpr int64_t kGroup = 4 * kSide;
  for (int64_t i = 0; i < a.count; i += kGroup) {
    score_four_tiles({a.data + i * a.stride, a.stride, std::min(kGroup, a.count - i)}, b, spans + i,
                     {scores.data + i * scores.stride, scores.stride});
  }
}

}  // namespace acevec
HWY_POP_ATTRIBUTES

#else
namespace acevec {
bool has_matrix_unit() {
  return false;
}
}  // namespace acevec
#endif
