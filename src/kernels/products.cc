#include "kernels/products.h"

#include <algorithm>

#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace acevec::HWY_NAMESPACE {

// Sums4(a, b, c, d) is {Σa, Σb, Σc, Σd}: the sums of four accumulators, by transposing additions
// within the 128-bit blocks, then across them.
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

// A tile of sums stays in registers: 32 (AVX-512, NEON) hold 24 sums and operands; 16 hold 12.
#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64
constexpr int kTileSums = 24;
#else
constexpr int kTileSums = 12;
#endif

struct FloatArithmetic {
  using Number = float;
  using Sums = hn::Vec<Floats>;
  using Vector = Sums;
  struct Lanes {};  // all lanes: rows are padded
  static constexpr Lanes kAll{};
  static constexpr int64_t kLanes = HWY_NAMESPACE::kLanes;
  static constexpr int kSums = kTileSums;
  static constexpr int kRowVectors = 14;  // leaves registers for the weight and an operand

  static constexpr Lanes lanes_before(int64_t /*n*/) { return {}; }
  static constexpr Span inner(Span span) { return span; }
  static HWY_INLINE Vector load(const float* from) { return hn::Load(kFloats, from); }
  static HWY_INLINE Vector repeat(float weight) { return hn::Set(kFloats, weight); }
  static HWY_INLINE Sums zero() { return hn::Zero(kFloats); }
  static HWY_INLINE Sums multiply_add(Vector a, Vector b, Sums sums) {
    return hn::MulAdd(a, b, sums);
  }
  static HWY_INLINE Sums load_sums(const float* from, Lanes /*lanes*/) { return load(from); }
  static HWY_INLINE void store_sums(Sums sums, float* to, Lanes /*lanes*/) {
    hn::Store(sums, kFloats, to);
  }
  static HWY_INLINE void store_four_totals(const Sums (&sums)[4], float* to) {
    hn::StoreU(Sums4(sums[0], sums[1], sums[2], sums[3]), Four(), to);
  }
  static HWY_INLINE float dot(const float* a, const float* b, int64_t columns) {
    return Dot(a, b, columns);
  }
};

#include "kernels/tiles-inl.h"

void ScoreRows(RowBlock a, RowBlock b, RowWidth width, FloatRows scores) {
  // 16 registers hold 2 × 4 sums and their operands, 32 hold 4 × 4.
  constexpr int kRows = FloatArithmetic::kSums / 6;
  const int64_t columns = width.columns, stride = width.stride;
  int64_t j = 0;
  for (; j + 4 <= b.count; j += 4) {
    const float* const four = b.data + j * stride;
    int64_t i = 0;
    for (; i + kRows <= a.count; i += kRows) {
      ScoreTile<FloatArithmetic, kRows, 1>(a.data + i * stride, {four}, columns, stride,
                                           {scores.data + i * scores.stride + j}, scores.stride);
    }
    for (; i < a.count; ++i) {
      ScoreTile<FloatArithmetic, 1, 1>(a.data + i * stride, {four}, columns, stride,
                                       {scores.data + i * scores.stride + j}, 0);
    }
  }
  for (; j < b.count; ++j) {
    for (int64_t i = 0; i < a.count; ++i) {
      scores.data[i * scores.stride + j] = Dot(a.data + i * stride, b.data + j * stride, columns);
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
  ScoreSpans<FloatArithmetic>({a.data, width.stride, a.count}, b, spans, width.columns, scores);
}

void MixRows(Weights weights, int64_t rows, RowBlock b, RowWidth width, float* out, bool add) {
  MixColumns<FloatArithmetic, false>(
      width.columns,
      {weights, rows, {b.data, width.stride, b.count}, nullptr, {out, width.stride}, {}, add});
}

void MixBand(Weights weights, int64_t rows, const float* b, const Span* spans, RowWidth width,
             float* out) {
  MixColumns<FloatArithmetic, true>(
      width.columns, {weights, rows, {b, width.stride, 0}, spans, {out, width.stride}, {}, false});
}

// With a single instruction set (ARM64), kernels must not be always inlined, as Dot() is.
float RowProduct(const float* a, const float* b, int64_t width) {
  return Dot(a, b, width);
}

void AddScaledRow(const float* x, float scale, int64_t width, float* y) {
  AddScaled(x, scale, width, y);
}

void AddBySums(const float* weights, int64_t rows, int64_t columns, const float* row, int64_t width,
               float* out) {
  for (int64_t i = 0; i < rows; ++i) {
    const float* const own = weights + i * columns;
    Vector sum = hn::Zero(kFloats);
    for (int64_t k = 0; k < columns; k += kLanes) {
      sum = hn::Add(sum, LoadSome(own + k, columns - k, 0.0F));
    }
    AddScaled(row, Sum(sum), width, out + i * width);
  }
}

}  // namespace acevec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace acevec {

ACEVEC_KERNEL(row_product, RowProduct);
ACEVEC_KERNEL(add_scaled, AddScaledRow);
ACEVEC_KERNEL(add_by_sums, AddBySums);
ACEVEC_KERNEL(score_rows, ScoreRows);
ACEVEC_KERNEL(transpose_rows, TransposeRows);
ACEVEC_KERNEL(mix_rows, MixRows);
ACEVEC_KERNEL(score_band, ScoreBand);
ACEVEC_KERNEL(mix_band, MixBand);

}  // namespace acevec
#endif  // HWY_ONCE
