#include "kernels/products.h"

#include <algorithm>

#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace acevec::HWY_NAMESPACE {

// A tile of rows × vectors sums stays in registers: 32 of them (AVX-512, NEON) hold 24 sums and
// the operands, 16 (AVX2, SSE) 12. Eight sums at least keep both multipliers busy.
#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64
constexpr int64_t kSums = 24;
#else
constexpr int64_t kSums = 12;
#endif
constexpr int64_t kTileRows = 4;  // at least
constexpr int64_t kTileVectors = kSums / kTileRows;
constexpr int64_t kMostTileRows = 8;
constexpr int64_t kRowVectors = 14;  // of a single row: its weight and an operand are left

// Without those that are padding only.
HWY_INLINE int64_t VectorsOf(RowWidth width) {
  return (width.columns + kLanes - 1) / kLanes;
}

// One value from each of four accumulators' sums, in order: sums4 of (a, b, c, d) is
// {Σa, Σb, Σc, Σd}, by transposing additions inside the 128-bit blocks, then across them.
using Four = hn::CappedTag<float, 4>;

template <class D>
HWY_INLINE hn::Vec<Four> AddBlocks(D d, hn::Vec<D> v) {
  if constexpr (hn::MaxLanes(d) <= 4) {
    return v;
  } else {
    const hn::Half<D> half;
    return AddBlocks(half, hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
  }
}

HWY_INLINE hn::Vec<Four> Sums4(Vector a, Vector b, Vector c, Vector d) {
  const hn::Repartition<double, Floats> pairs;
  const Vector ab = hn::Add(hn::InterleaveLower(kFloats, a, b), hn::InterleaveUpper(kFloats, a, b));
  const Vector cd = hn::Add(hn::InterleaveLower(kFloats, c, d), hn::InterleaveUpper(kFloats, c, d));
  const auto ab_pairs = hn::BitCast(pairs, ab);
  const auto cd_pairs = hn::BitCast(pairs, cd);
  const Vector lower = hn::BitCast(kFloats, hn::InterleaveLower(pairs, ab_pairs, cd_pairs));
  const Vector upper = hn::BitCast(kFloats, hn::InterleaveUpper(pairs, ab_pairs, cd_pairs));
  return AddBlocks(kFloats, hn::Add(lower, upper));
}

// kRows × 4 · kFours dot products at once, of rows of a with `fours` of b, which are four rows
// each: each row is read once for all of them.
template <int kRows, int kFours>
HWY_INLINE void ScoreTile(const float* a, const float* const (&fours)[kFours], RowWidth width,
                          hn::Vec<Four> (&scores)[kRows][kFours]) {
  Vector sums[kRows][kFours][4];
#pragma GCC unroll 16
  for (auto& row : sums) {
#pragma GCC unroll 16
    for (auto& four : row) {
#pragma GCC unroll 16
      for (Vector& sum : four) sum = hn::Zero(kFloats);
    }
  }
  for (int64_t k = 0; k < width.columns; k += kLanes) {
    Vector rows[kRows];
#pragma GCC unroll 16
    for (int i = 0; i < kRows; ++i) rows[i] = hn::Load(kFloats, a + i * width.stride + k);
#pragma GCC unroll 16
    for (int f = 0; f < kFours; ++f) {
#pragma GCC unroll 16
      for (int j = 0; j < 4; ++j) {
        const Vector column = hn::Load(kFloats, fours[f] + j * width.stride + k);
#pragma GCC unroll 16
        for (int i = 0; i < kRows; ++i) {
          sums[i][f][j] = hn::MulAdd(rows[i], column, sums[i][f][j]);
        }
      }
    }
  }
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 16
    for (int f = 0; f < kFours; ++f) {
      const auto& four = sums[i][f];
      scores[i][f] = Sums4(four[0], four[1], four[2], four[3]);
    }
  }
}

// kRows rows of a with four rows of b.
template <int kRows>
HWY_INLINE void ScoreFour(const float* a, const float* four, RowWidth width, FloatRows scores) {
  hn::Vec<Four> found[kRows][1];
  ScoreTile<kRows, 1>(a, {four}, width, found);
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
    hn::StoreU(found[i][0], Four(), scores.data + i * scores.stride);
  }
}

HWY_INLINE FloatRows At(FloatRows table, int64_t i, int64_t j) {
  return {table.data + i * table.stride + j, table.stride};
}

void ScoreRows(RowBlock a, RowBlock b, RowWidth width, FloatRows scores) {
  // 16 registers hold 2 × 4 sums and what they are made of, 32 hold 4 × 4.
  constexpr int kRows = kSums / 6;
  int64_t j = 0;
  for (; j + 4 <= b.count; j += 4) {
    const float* const four = b.data + j * width.stride;
    int64_t i = 0;
    for (; i + kRows <= a.count; i += kRows) {
      ScoreFour<kRows>(a.data + i * width.stride, four, width, At(scores, i, j));
    }
    for (; i < a.count; ++i) ScoreFour<1>(a.data + i * width.stride, four, width, At(scores, i, j));
  }
  for (; j < b.count; ++j) {
    for (int64_t i = 0; i < a.count; ++i) {
      *At(scores, i, j).data =
          Dot(a.data + i * width.stride, b.data + j * width.stride, width.columns);
    }
  }
}

void TransposeRows(const float* rows, int64_t count, RowWidth width, float* columns) {
  const hn::CappedTag<double, 2> pairs;
  for (int64_t k = 0; k < width.columns; k += 4) {
    for (int64_t i = 0; i < count; i += 4) {
      const float* const from = rows + i * width.stride + k;
      const auto a = hn::Load(Four(), from);
      const auto b = hn::Load(Four(), from + width.stride);
      const auto c = hn::Load(Four(), from + 2 * width.stride);
      const auto d = hn::Load(Four(), from + 3 * width.stride);
      const auto ab_lower = hn::BitCast(pairs, hn::InterleaveLower(Four(), a, b));
      const auto ab_upper = hn::BitCast(pairs, hn::InterleaveUpper(Four(), a, b));
      const auto cd_lower = hn::BitCast(pairs, hn::InterleaveLower(Four(), c, d));
      const auto cd_upper = hn::BitCast(pairs, hn::InterleaveUpper(Four(), c, d));
      const hn::Vec<Four> fours[] = {
          hn::BitCast(Four(), hn::InterleaveLower(pairs, ab_lower, cd_lower)),
          hn::BitCast(Four(), hn::InterleaveUpper(pairs, ab_lower, cd_lower)),
          hn::BitCast(Four(), hn::InterleaveLower(pairs, ab_upper, cd_upper)),
          hn::BitCast(Four(), hn::InterleaveUpper(pairs, ab_upper, cd_upper))};
      const int64_t some = std::min<int64_t>(4, width.columns - k);
      for (int64_t l = 0; l < some; ++l) {
        hn::Store(fours[l], Four(), columns + (k + l) * count + i);
      }
    }
  }
}

void ScoreBand(RowBlock a, const float* b, const Span* spans, RowWidth width, FloatRows scores) {
  for (int64_t i = 0; i < a.count; ++i) {
    const float* const row = a.data + i * width.stride;
    float* const row_scores = scores.data + i * scores.stride;
    const int64_t last = spans[i].last;
    int64_t j = spans[i].first;
    if (last - j < 4) {
      for (; j < last; ++j) row_scores[j] = Dot(row, b + j * width.stride, width.columns);
      continue;
    }
    // Eight at a time, which keep both multipliers busy. The last four include some that are done
    // already: four cost as much as one.
    for (; j + 4 < last; j += 8) {
      const int64_t next = std::min(j + 4, last - 4);
      hn::Vec<Four> found[1][2];
      ScoreTile<1, 2>(row, {b + j * width.stride, b + next * width.stride}, width, found);
      hn::StoreU(found[0][0], Four(), row_scores + j);
      hn::StoreU(found[0][1], Four(), row_scores + next);
    }
    if (j < last)
      ScoreFour<1>(row, b + (last - 4) * width.stride, width, {row_scores + last - 4, 0});
  }
}

// kRows rows × kVectors vectors of the result.
template <int kRows, int kVectors>
HWY_INLINE void MixTile(Weights weights, RowBlock b, int64_t stride, float* out, bool add) {
  Vector sums[kRows][kVectors];
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) {
      sums[i][v] = add ? hn::Load(kFloats, out + i * stride + v * kLanes) : hn::Zero(kFloats);
    }
  }
  for (int64_t k = 0; k < b.count; ++k) {
    Vector row[kVectors];
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) row[v] = hn::Load(kFloats, b.data + k * stride + v * kLanes);
#pragma GCC unroll 16
    for (int i = 0; i < kRows; ++i) {
      const Vector weight =
          hn::Set(kFloats, weights.data[i * weights.row_stride + k * weights.inner_stride]);
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) sums[i][v] = hn::MulAdd(weight, row[v], sums[i][v]);
    }
  }
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) {
      hn::Store(sums[i][v], kFloats, out + i * stride + v * kLanes);
    }
  }
}

// `vectors` vectors cut into panels of at most `most`, of nearly equal width (7 are 4 + 3, not
// 6 + 1); calls panel(offset in floats, count) for each.
template <class Panel>
HWY_INLINE void ForPanels(int64_t vectors, int64_t most, Panel&& panel) {
  const int64_t panels = (vectors + most - 1) / most;
  int64_t done = 0;
  for (int64_t i = 0; i < panels; ++i) {
    const int64_t count = (vectors - done + panels - i - 1) / (panels - i);
    panel(done * kLanes, count);
    done += count;
  }
}

// A panel of what mix_rows() is called with: vectors of its rows.
struct Panel {
  Weights weights;
  int64_t rows;
  RowBlock b;
  int64_t stride;
  float* out;
  bool add;
};

// The rows from i on that are left of a panel, kRows at a time. Returns how many rows are done.
template <int kRows, int kVectors>
HWY_INLINE int64_t MixTiles(const Panel& panel, int64_t i) {
  const auto [weights, rows, b, stride, out, add] = panel;
  for (; i + kRows <= rows; i += kRows) {
    MixTile<kRows, kVectors>(
        {weights.data + i * weights.row_stride, weights.row_stride, weights.inner_stride}, b,
        stride, out + i * stride, add);
  }
  return i;
}

// All rows, for a panel of kVectors vectors: the panel of b stays in the first cache.
template <int kVectors>
void MixPanel(const Panel& panel) {
  constexpr int kRows = std::min(kSums / kVectors, kMostTileRows);
  int64_t i = MixTiles<kRows, kVectors>(panel, 0);
  i = MixTiles<kTileRows, kVectors>(panel, i);
  MixTiles<1, kVectors>(panel, i);
}

void MixRows(Weights weights, int64_t rows, RowBlock b, RowWidth width, float* out, bool add) {
  constexpr void (*kPanels[])(const Panel&) = {nullptr,     MixPanel<1>, MixPanel<2>, MixPanel<3>,
                                               MixPanel<4>, MixPanel<5>, MixPanel<6>};
  ForPanels(VectorsOf(width), kTileVectors, [&](int64_t offset, int64_t count) {
    kPanels[count]({weights, rows, {b.data + offset, b.count}, width.stride, out + offset, add});
  });
}

// One panel of mix_band(): a row at a time.
template <int kVectors>
void MixBandPanel(Weights weights, int64_t rows, const float* b, const Span* spans, int64_t stride,
                  float* out) {
  for (int64_t i = 0; i < rows; ++i) {
    const int64_t first = spans[i].first;
    const float* row_weights = weights.data + i * weights.row_stride + first * weights.inner_stride;
    MixTile<1, kVectors>({row_weights, 0, weights.inner_stride},
                         {b + first * stride, spans[i].last - first}, stride, out + i * stride,
                         false);
  }
}

void MixBand(Weights weights, int64_t rows, const float* b, const Span* spans, RowWidth width,
             float* out) {
  using BandPanel = void (*)(Weights, int64_t, const float*, const Span*, int64_t, float*);
  constexpr BandPanel kPanels[] = {
      nullptr,          MixBandPanel<1>,  MixBandPanel<2>,  MixBandPanel<3>,  MixBandPanel<4>,
      MixBandPanel<5>,  MixBandPanel<6>,  MixBandPanel<7>,  MixBandPanel<8>,  MixBandPanel<9>,
      MixBandPanel<10>, MixBandPanel<11>, MixBandPanel<12>, MixBandPanel<13>, MixBandPanel<14>};
  ForPanels(VectorsOf(width), kRowVectors, [&](int64_t offset, int64_t count) {
    kPanels[count](weights, rows, b + offset, spans, width.stride, out + offset);
  });
}

// Where there is one instruction set only (ARM64), a kernel must not be always inlined, as these
// are.
float RowProduct(const float* a, const float* b, int64_t width) {
  return Dot(a, b, width);
}

void AddScaledRow(const float* x, float scale, int64_t width, float* y) {
  AddScaled(x, scale, width, y);
}

}  // namespace acevec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace acevec {

ACEVEC_KERNEL(row_product, RowProduct);
ACEVEC_KERNEL(add_scaled, AddScaledRow);
ACEVEC_KERNEL(score_rows, ScoreRows);
ACEVEC_KERNEL(transpose_rows, TransposeRows);
ACEVEC_KERNEL(mix_rows, MixRows);
ACEVEC_KERNEL(score_band, ScoreBand);
ACEVEC_KERNEL(mix_band, MixBand);

}  // namespace acevec
#endif  // HWY_ONCE
