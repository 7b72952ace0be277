#include "kernels/matrix_unit.h"

#include <algorithm>
#include <memory>
#include <span>

#include "kernels/bfloat16-inl.h"

#if HWY_ARCH_X86_64 && defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>

namespace acevec {
namespace {

constexpr int64_t kSide = 16;  // rows of a tile, and pairs or sums in a row
constexpr int64_t kTilePairs = kSide * kSide;
constexpr int64_t kMostTerms = 8;  // terms that are summed at once
constexpr int64_t kMostSums = 4;   // of 32 rows each

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

// Calls part(i) for i < kCount, as a constant: a tile's number is part of an instruction.
template <int kCount, class Part>
HWY_INLINE void each_tile(Part&& part) {
  if constexpr (kCount > 0) part(std::integral_constant<int, 0>());
  if constexpr (kCount > 1) part(std::integral_constant<int, 1>());
  if constexpr (kCount > 2) part(std::integral_constant<int, 2>());
  if constexpr (kCount > 3) part(std::integral_constant<int, 3>());
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

// The first 16 or fewer rows × columns of a table, in place if they fill a tile; otherwise packed,
// with 0 for those that there are not, which are not read.
HWY_INLINE Tile take(const PairTable& table, int64_t rows, int64_t columns, Pair* packed) {
  const Tile tile{table.data, table.layout.stride};
  if (rows >= kSide && columns >= kSide) return tile;
  const __mmask16 some = first_lanes(columns);
  for (int64_t i = 0; i < kSide; ++i) {
    _mm512_store_si512(packed + i * kSide,
                       i < rows ? _mm512_maskz_loadu_epi32(some, tile.data + i * tile.stride)
                                : _mm512_setzero_si512());
  }
  return {packed, kSide};
}

// Takes rows × pairs of weights in the same way.
HWY_INLINE Tile take_weights(const PairWeights& weights, int64_t rows, int64_t pairs,
                             Pair* packed) {
  if (!weights.transposed) return take(weights.pairs, rows, pairs, packed);
  alignas(64) Pair part[kTilePairs];
  const Tile columns = take(weights.pairs, pairs, rows, part);
  transpose(columns.data, columns.stride, packed, kSide);
  return {packed, kSide};
}

// 16 pairs along a sum: two tiles of weights, one below the other, and the rows that they weigh.
// Weights of rows that there are not are 0.
struct Term {
  Tile weights[2];
  Tile rows;
  int64_t step;  // from a tile of rows to the next columns
};

// Computes kRows × kColumns tiles of sums of the terms, from `column` on. Tiles 0 .. 3 hold sums, 4
// and 5 the weights of each row, 6 and 7 in turns what they weigh. At least four sums hide the
// latency of a product.
template <int kRows, int kColumns>
HWY_INLINE void sum_tiles(std::span<const Term> terms, int64_t column, const Part& out, bool add) {
  const auto part = [&](int tile) {
    const int64_t i = tile / kColumns * kSide, j = tile % kColumns * kSide;
    return Part{out.out + i * out.stride + column + j, out.stride, out.rows - i,
                out.columns - column - j};
  };
  each_tile<kRows * kColumns>([&](auto tile) { begin_sums<tile.value>(part(tile.value), add); });
  for (const Term& term : terms) {
    each_tile<kRows>([&](auto i) {
      load_tile<4 + i.value>(term.weights[i.value].data, term.weights[i.value].stride);
    });
    const Pair* const rows = term.rows.data + column / kSide * term.step;
    each_tile<kColumns>([&](auto j) {
      constexpr int kB = 6 + j.value % 2;
      load_tile<kB>(rows + j.value * term.step, term.rows.stride);
      each_tile<kRows>(
          [&](auto i) { multiply_tiles<i.value * kColumns + j.value, 4 + i.value, kB>(); });
    });
  }
  each_tile<kRows * kColumns>([&](auto tile) { end_sums<tile.value>(part(tile.value), add); });
}

// Computes columns begin .. end − 1, kMost tiles of them at a time.
template <int kRows, int kMost = 4 / kRows>
HWY_INLINE void sum_columns(std::span<const Term> terms, int64_t begin, int64_t end,
                            const Part& out, bool add) {
  for (; begin + (kMost - 1) * kSide < end; begin += kMost * kSide) {
    sum_tiles<kRows, kMost>(terms, begin, out, add);
  }
  if constexpr (kMost > 1) sum_columns<kRows, kMost - 1>(terms, begin, end, out, add);
}

// Sums for up to 32 rows: terms are collected and then summed at once.
class RowSums {
 public:
  // Begins the sums of some rows, which `out` gets, or which are added to it.
  HWY_INLINE void begin(const Part& out, bool add) {
    out_ = out;
    add_ = add;
    count_ = 0;
  }

  // Adds weight(i, k) · b_k for all rows and the first 16 k.
  HWY_INLINE void add(const PairWeights& weights, const PairTable& b) {
    if (count_ == kMostTerms) end();
    Term& term = terms_[count_];
    for (int64_t t = 0; t * kSide < out_.rows && t < 2; ++t) {
      term.weights[t] = take_weights(weights.from(t * kSide, 0), out_.rows - t * kSide, b.rows,
                                     packed_[count_][t]);
    }
    term.rows = {b.data, b.layout.stride};
    term.step = b.layout.step;
    ++count_;
  }

  // Writes the terms' sums of some columns; zeros without terms.
  HWY_INLINE void write(int64_t column, int64_t columns) const {
    const std::span<const Term> terms(terms_, static_cast<size_t>(count_));
    const int64_t last = std::min(column + columns, out_.columns);
    if (out_.rows > kSide) {
      sum_columns<2>(terms, column, last, out_, add_);
    } else {
      sum_columns<1>(terms, column, last, out_, add_);
    }
  }

  // Writes all columns. More terms may follow.
  HWY_INLINE void end() {
    write(0, out_.columns);
    begin(out_, true);
  }

 private:
  Part out_{};
  bool add_ = false;
  int64_t count_ = 0;
  Term terms_[kMostTerms];
  alignas(64) Pair packed_[kMostTerms][2][kTilePairs];
};

// Holds what a thread needs for its products.
struct Workspace {
  RowSums sums[kMostSums];
  AlignedPairs transposed;
  AlignedFloats scores;
};

Workspace& workspace() {
  configure_tiles();
  thread_local const auto memory = std::make_unique<Workspace>();
  return *memory;
}

HWY_INLINE Part rows_from(int64_t i, int64_t rows, int64_t columns, FloatRows out) {
  return {out.data + i * out.stride, out.stride, rows - i, columns};
}

// Returns the least span that contains those of some rows. Empty ones do not count.
HWY_INLINE Span hull(const Span* spans, int64_t rows) {
  Span all{INT32_MAX, 0};
  for (int64_t i = 0; i < rows; ++i) {
    if (spans[i].first >= spans[i].last) continue;
    all = {std::min(all.first, spans[i].first), std::max(all.last, spans[i].last)};
  }
  return all;
}

}  // namespace

// A panel of b's columns stays in the first cache for all sums of some rows.
void mix_pairs_in_tiles(const PairWeights& weights, int64_t rows, const PairTable& b,
                        int64_t columns, FloatRows out, bool add) {
  constexpr int64_t kPanel = 2 * kSide, kRows = kMostSums * 2 * kSide;
  RowSums* const sums = workspace().sums;
  for (int64_t first = 0; first < rows; first += kRows) {
    const int64_t last = std::min(rows, first + kRows);
    for (int64_t k = 0; k == 0 || k < b.rows; k += kMostTerms * kSide) {
      const int64_t end = std::min(b.rows, k + kMostTerms * kSide);
      int64_t count = 0;
      for (int64_t i = first; i < last; i += 2 * kSide) {
        RowSums& some = sums[count++];
        some.begin(rows_from(i, last, columns, out), add || k > 0);
        for (int64_t t = k; t < end; t += kSide) some.add(weights.from(i, t), b.from(t, 0));
      }
      for (int64_t c = 0; c < columns; c += kPanel) {
        for (int64_t s = 0; s < count; ++s) sums[s].write(c, kPanel);
      }
    }
  }
}

void mix_spans_in_tiles(const PairSpans& band, int64_t rows, const PairTerm* all, int64_t columns,
                        FloatRows out) {
  RowSums& sums = *workspace().sums;
  for (int64_t i = 0; i < rows; i += kSide) {
    Part part = rows_from(i, rows, columns, out);
    part.rows = std::min(part.rows, kSide);
    sums.begin(part, false);
    const Span reach = hull(band.spans + i, part.rows);
    // Uses whole tiles of rows, if there are enough.
    const int64_t whole = std::max<int64_t>(band.rows.rows - kSide, 0);
    for (int64_t k = std::min<int64_t>(reach.first / 2, whole); 2 * k < reach.last; k += kSide) {
      sums.add(band.weights.from(i, k), band.rows.from(k, 0));
    }
    for (int64_t k = 0; all != nullptr && k < all->rows.rows; k += kSide) {
      sums.add(all->weights.from(i, k), all->rows.from(k, 0));
    }
    sums.end();
  }
}

void score_band_in_tiles(const PairTable& a, const PairTable& b, const Span* spans, int64_t columns,
                         FloatRows scores) {
  Workspace& space = workspace();
  const int64_t lanes = padded(b.rows);
  const PairLayout layout = pair_layout(columns, lanes);
  space.transposed.grow(layout.size(columns, lanes));
  space.scores.grow(kSide * lanes);
  const PairTable transposed{space.transposed.data(), layout, columns};
  transpose_pairs(b, columns, space.transposed.data(), transposed.layout, lanes);
  for (int64_t i = 0; i < a.rows; i += kSide) {
    const int64_t rows = std::min(kSide, a.rows - i);
    const Span reach = hull(spans + i, rows);
    const int64_t first = reach.first / kSide * kSide;
    if (first >= reach.last) continue;
    space.sums->begin({space.scores.data(), lanes, rows, padded(reach.last - first)}, false);
    for (int64_t k = 0; k < columns; k += kSide) {
      space.sums->add({a.from(i, k)}, transposed.from(k, first));
    }
    space.sums->end();
    for (int64_t r = 0; r < rows; ++r) {
      const auto [begin, end] = spans[i + r];
      if (begin >= end) continue;
      std::copy_n(space.scores.data() + r * lanes + begin - first, end - begin,
                  scores.from(i + r, begin).data);
    }
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
