#include "math/kernels.h"

// Vectors of a length unknown at compile time (SVE, RVV) cannot stand in the arrays below.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "math/kernels.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace acevec::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, kRowPadding>;
using Vector = hn::Vec<Floats>;
constexpr Floats kFloats;
constexpr int64_t kLanes = static_cast<int64_t>(hn::MaxLanes(kFloats));

// A tile of rows × vectors accumulators stays in registers: 32 of them (AVX-512, NEON) hold 4 × 6
// and the operands, 16 (AVX2, SSE) 4 × 3; of a single row, 8.
constexpr int64_t kTileRows = 4;
constexpr int64_t kRowVectors = 8;
#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64
constexpr int64_t kTileVectors = 6;
#else
constexpr int64_t kTileVectors = 3;
#endif

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

// kRows × 4 dot products at once: rows a and b are read once for all of them.
template <int kRows>
HWY_INLINE void ScoreTile(const float* a, const float* b, int64_t width, float* scores,
                          int64_t score_stride) {
  Vector sums[kRows][4];
#pragma GCC unroll 16
  for (auto& row : sums) {
#pragma GCC unroll 16
    for (Vector& sum : row) sum = hn::Zero(kFloats);
  }
  for (int64_t k = 0; k < width; k += kLanes) {
    Vector columns[4];
#pragma GCC unroll 16
    for (int j = 0; j < 4; ++j) columns[j] = hn::Load(kFloats, b + j * width + k);
#pragma GCC unroll 16
    for (int i = 0; i < kRows; ++i) {
      const Vector row = hn::Load(kFloats, a + i * width + k);
#pragma GCC unroll 16
      for (int j = 0; j < 4; ++j) sums[i][j] = hn::MulAdd(row, columns[j], sums[i][j]);
    }
  }
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
    hn::StoreU(Sums4(sums[i][0], sums[i][1], sums[i][2], sums[i][3]), Four(),
               scores + i * score_stride);
  }
}

HWY_INLINE float Dot(const float* a, const float* b, int64_t width) {
  Vector sum = hn::Zero(kFloats);
  for (int64_t k = 0; k < width; k += kLanes) {
    sum = hn::MulAdd(hn::Load(kFloats, a + k), hn::Load(kFloats, b + k), sum);
  }
  return hn::GetLane(hn::SumOfLanes(kFloats, sum));
}

void ScoreRows(const float* a, int64_t a_rows, const float* b, int64_t b_rows, int64_t width,
               float* scores, int64_t score_stride) {
  // 16 registers hold 2 × 4 sums and what they are made of, 32 hold 4 × 4.
  constexpr int kRows = kTileVectors > 3 ? 4 : 2;
  int64_t j = 0;
  for (; j + 4 <= b_rows; j += 4) {
    int64_t i = 0;
    for (; i + kRows <= a_rows; i += kRows) {
      ScoreTile<kRows>(a + i * width, b + j * width, width, scores + i * score_stride + j,
                       score_stride);
    }
    for (; i < a_rows; ++i) {
      ScoreTile<1>(a + i * width, b + j * width, width, scores + i * score_stride + j,
                   score_stride);
    }
  }
  for (; j < b_rows; ++j) {
    for (int64_t i = 0; i < a_rows; ++i) {
      scores[i * score_stride + j] = Dot(a + i * width, b + j * width, width);
    }
  }
}

void ScoreBand(const float* a, int64_t a_rows, const float* b, const Span* spans, int64_t width,
               float* scores, int64_t score_stride) {
  for (int64_t i = 0; i < a_rows; ++i) {
    const float* const row = a + i * width;
    float* const row_scores = scores + i * score_stride;
    const int64_t last = spans[i].last;
    int64_t j = spans[i].first;
    if (last - j < 4) {
      for (; j < last; ++j) row_scores[j] = Dot(row, b + j * width, width);
      continue;
    }
    for (; j + 4 <= last; j += 4) {
      ScoreTile<1>(row, b + j * width, width, row_scores + j, 0);
    }
    // The rest together with some that are done already: four cost as much as one.
    if (j < last) ScoreTile<1>(row, b + (last - 4) * width, width, row_scores + last - 4, 0);
  }
}

// kRows rows × kVectors vectors of the result.
template <int kRows, int kVectors>
HWY_INLINE void MixTile(Weights weights, const float* b, int64_t inner, int64_t width, float* out,
                        bool add) {
  Vector sums[kRows][kVectors];
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) {
      sums[i][v] = add ? hn::Load(kFloats, out + i * width + v * kLanes) : hn::Zero(kFloats);
    }
  }
  for (int64_t k = 0; k < inner; ++k) {
    Vector row[kVectors];
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) row[v] = hn::Load(kFloats, b + k * width + v * kLanes);
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
      hn::Store(sums[i][v], kFloats, out + i * width + v * kLanes);
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

// All rows, for a panel of kVectors vectors: the panel of b stays in the first cache.
template <int kVectors>
void MixPanel(Weights weights, int64_t rows, const float* b, int64_t inner, int64_t width,
              float* out, bool add) {
  int64_t i = 0;
  for (; i + kTileRows <= rows; i += kTileRows) {
    MixTile<kTileRows, kVectors>(
        {weights.data + i * weights.row_stride, weights.row_stride, weights.inner_stride}, b, inner,
        width, out + i * width, add);
  }
  for (; i < rows; ++i) {
    MixTile<1, kVectors>(
        {weights.data + i * weights.row_stride, weights.row_stride, weights.inner_stride}, b, inner,
        width, out + i * width, add);
  }
}

void MixRows(Weights weights, int64_t rows, const float* b, int64_t inner, int64_t width,
             float* out, bool add) {
  using Panel = void (*)(Weights, int64_t, const float*, int64_t, int64_t, float*, bool);
  constexpr Panel kPanels[] = {nullptr,     MixPanel<1>, MixPanel<2>, MixPanel<3>,
                               MixPanel<4>, MixPanel<5>, MixPanel<6>};
  ForPanels(width / kLanes, kTileVectors, [&](int64_t offset, int64_t count) {
    kPanels[count](weights, rows, b + offset, inner, width, out + offset, add);
  });
}

// One panel of mix_band(): a row at a time.
template <int kVectors>
void MixBandPanel(Weights weights, int64_t rows, const float* b, const Span* spans, int64_t width,
                  float* out) {
  for (int64_t i = 0; i < rows; ++i) {
    const int64_t first = spans[i].first;
    const float* row_weights = weights.data + i * weights.row_stride + first * weights.inner_stride;
    MixTile<1, kVectors>({row_weights, 0, weights.inner_stride}, b + first * width,
                         spans[i].last - first, width, out + i * width, false);
  }
}

void MixBand(Weights weights, int64_t rows, const float* b, const Span* spans, int64_t width,
             float* out) {
  using Panel = void (*)(Weights, int64_t, const float*, const Span*, int64_t, float*);
  constexpr Panel kPanels[] = {nullptr,         MixBandPanel<1>, MixBandPanel<2>,
                               MixBandPanel<3>, MixBandPanel<4>, MixBandPanel<5>,
                               MixBandPanel<6>, MixBandPanel<7>, MixBandPanel<8>};
  ForPanels(width / kLanes, kRowVectors, [&](int64_t offset, int64_t count) {
    kPanels[count](weights, rows, b + offset, spans, width, out + offset);
  });
}

}  // namespace acevec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace acevec {

HWY_EXPORT(ScoreRows);
HWY_EXPORT(MixRows);
HWY_EXPORT(ScoreBand);
HWY_EXPORT(MixBand);

void score_rows(const float* a, int64_t a_rows, const float* b, int64_t b_rows, int64_t width,
                float* scores, int64_t score_stride) {
  HWY_DYNAMIC_DISPATCH(ScoreRows)(a, a_rows, b, b_rows, width, scores, score_stride);
}

void mix_rows(Weights weights, int64_t rows, const float* b, int64_t inner, int64_t width,
              float* out, bool add) {
  HWY_DYNAMIC_DISPATCH(MixRows)(weights, rows, b, inner, width, out, add);
}

void score_band(const float* a, int64_t a_rows, const float* b, const Span* spans, int64_t width,
                float* scores, int64_t score_stride) {
  HWY_DYNAMIC_DISPATCH(ScoreBand)(a, a_rows, b, spans, width, scores, score_stride);
}

void mix_band(Weights weights, int64_t rows, const float* b, const Span* spans, int64_t width,
              float* out) {
  HWY_DYNAMIC_DISPATCH(MixBand)(weights, rows, b, spans, width, out);
}

}  // namespace acevec
#endif  // HWY_ONCE
