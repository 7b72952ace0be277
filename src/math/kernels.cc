#include "math/kernels.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

// Vectors of a length unknown at compile time (SVE, RVV) cannot stand in the arrays below.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "math/kernels.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace acevec::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, kRowPadding>;
using Vector = hn::Vec<Floats>;
constexpr Floats kFloats;
constexpr int64_t kLanes = static_cast<int64_t>(hn::MaxLanes(kFloats));

// A tile of rows × vectors accumulators stays in registers: 32 of them (AVX-512, NEON) hold 4 × 6
// and the operands, 16 (AVX2, SSE) 4 × 3; of a single row, 8 or 6.
constexpr int64_t kTileRows = 4;
#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64
constexpr int64_t kTileVectors = 6;
constexpr int64_t kRowVectors = 8;
#else
constexpr int64_t kTileVectors = 3;
constexpr int64_t kRowVectors = 6;
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

// With e = exp(−|s|): σ(s) = 1/(1+e) for s ≥ 0 and e/(1+e) below, and
// log(1 + exp(s)) = max(s, 0) + log(1 + e). The logarithm is taken of a product of many (1 + e),
// each in 1 .. 2, so that the exact loss costs one multiplication a pair.
struct Logistic {
  Vector sigmoid;     // σ(s)
  Vector hinge;       // max(s, 0)
  Vector one_plus_e;  // 1 + exp(−|s|)
};

HWY_INLINE Logistic LogisticOf(Vector s) {
  const Vector one = hn::Set(kFloats, 1.0F);
  const Vector e = hn::Exp(kFloats, hn::Neg(hn::Abs(s)));
  const Vector one_plus_e = hn::Add(one, e);
  const Vector inverse = hn::Div(one, one_plus_e);
  const Vector zero = hn::Zero(kFloats);
  const Vector sigmoid = hn::IfThenElse(hn::Ge(s, zero), inverse, hn::Mul(e, inverse));
  // Not Max(s, 0), which may turn a NaN into 0: the loss is what shows it.
  return {sigmoid, hn::IfThenZeroElse(hn::Lt(s, zero), s), one_plus_e};
}

// Sums log(1 + exp(s)) over scores, lane by lane, as described above.
class LossSum {
 public:
  // Spelled out: a constructor that the compiler makes itself would lack the instruction set.
  HWY_INLINE LossSum() : sum_(hn::Zero(kFloats)), product_(hn::Set(kFloats, 1.0F)) {}

  HWY_INLINE void Add(const Logistic& logistic) {
    sum_ = hn::Add(sum_, logistic.hinge);
    product_ = hn::Mul(product_, logistic.one_plus_e);
    if (++factors_ == kMaxFactors) TakeLogarithm();
  }

  HWY_INLINE Vector Total() {
    TakeLogarithm();
    return sum_;
  }

 private:
  static constexpr int kMaxFactors = 100;  // at most 2 each; 2¹²⁷ still is a float

  HWY_INLINE void TakeLogarithm() {
    sum_ = hn::Add(sum_, hn::Log(kFloats, product_));
    product_ = hn::Set(kFloats, 1.0F);
    factors_ = 0;
  }

  Vector sum_;
  Vector product_;
  int factors_ = 0;
};

// Replaces each s by step · σ(sign · s) and returns Σ log(1 + exp(sign · s)) lane by lane.
HWY_INLINE Vector Push(float* scores, int64_t count, float sign, float step) {
  const Vector signs = hn::Set(kFloats, sign);
  const Vector steps = hn::Set(kFloats, step);
  LossSum loss;
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const Logistic logistic = LogisticOf(hn::Mul(signs, hn::LoadU(kFloats, scores + i)));
    hn::StoreU(hn::Mul(steps, logistic.sigmoid), kFloats, scores + i);
    loss.Add(logistic);
  }
  if (i < count) {
    HWY_ALIGN float rest[kRowPadding];
    std::fill_n(rest, kRowPadding, -sign * kNoPair);
    std::copy(scores + i, scores + count, rest);
    const Logistic logistic = LogisticOf(hn::Mul(signs, hn::Load(kFloats, rest)));
    hn::Store(hn::Mul(steps, logistic.sigmoid), kFloats, rest);
    std::copy_n(rest, count - i, scores + i);
    loss.Add(logistic);
  }
  return loss.Total();
}

HWY_INLINE double SumLanes(Vector v) {
  return static_cast<double>(hn::GetLane(hn::SumOfLanes(kFloats, v)));
}

double RepelScores(float* scores, int64_t rows, int64_t columns, const float* weights, float step) {
  Vector loss = hn::Zero(kFloats);
  for (int64_t i = 0; i < rows; ++i) {
    const Vector row_loss = Push(scores + i * columns, columns, 1.0F, -step * weights[i]);
    loss = hn::MulAdd(hn::Set(kFloats, weights[i]), row_loss, loss);
  }
  return SumLanes(loss);
}

double AttractScores(float* scores, int64_t count, float step) {
  return SumLanes(Push(scores, count, -1.0F, step));
}

// exp(v − most) of one vector, added to `sum`.
HWY_INLINE Vector Exponential(Vector v, Vector most, Vector& sum) {
  // Exp makes 0 of what is not a number, which shall show.
  const Vector e = hn::IfThenElse(hn::Eq(v, v), hn::Exp(kFloats, hn::Sub(v, most)), v);
  sum = hn::Add(sum, e);
  return e;
}

float ShareRow(float* row, int64_t columns) {
  const int64_t whole = columns / kLanes * kLanes;
  HWY_ALIGN float rest[kRowPadding];
  std::fill_n(rest, kRowPadding, -kNoPair);  // a score of −∞ has no share
  std::copy(row + whole, row + columns, rest);
  Vector most = hn::Load(kFloats, rest);
  for (int64_t k = 0; k < whole; k += kLanes) most = hn::Max(most, hn::LoadU(kFloats, row + k));
  most = hn::MaxOfLanes(kFloats, most);

  Vector sum = hn::Zero(kFloats);
  for (int64_t k = 0; k < whole; k += kLanes) {
    hn::StoreU(Exponential(hn::LoadU(kFloats, row + k), most, sum), kFloats, row + k);
  }
  if (whole < columns) {
    hn::Store(Exponential(hn::Load(kFloats, rest), most, sum), kFloats, rest);
    std::copy_n(rest, columns - whole, row + whole);
  }
  const float total = hn::GetLane(hn::SumOfLanes(kFloats, sum));
  const float inverse = 1 / total;
  for (int64_t k = 0; k < columns; ++k) row[k] *= inverse;
  return hn::GetLane(most) + std::log(total);
}

void ShareScores(float* scores, int64_t rows, int64_t columns, float* log_sums) {
  for (int64_t i = 0; i < rows; ++i) log_sums[i] = ShareRow(scores + i * columns, columns);
}

}  // namespace acevec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace acevec {

HWY_EXPORT(ScoreRows);
HWY_EXPORT(MixRows);
HWY_EXPORT(ScoreBand);
HWY_EXPORT(MixBand);
HWY_EXPORT(RepelScores);
HWY_EXPORT(AttractScores);
HWY_EXPORT(ShareScores);

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

double repel_scores(float* scores, int64_t rows, int64_t columns, const float* weights,
                    float step) {
  return HWY_DYNAMIC_DISPATCH(RepelScores)(scores, rows, columns, weights, step);
}

double attract_scores(float* scores, int64_t count, float step) {
  return HWY_DYNAMIC_DISPATCH(AttractScores)(scores, count, step);
}

void share_scores(float* scores, int64_t rows, int64_t columns, float* log_sums) {
  HWY_DYNAMIC_DISPATCH(ShareScores)(scores, rows, columns, log_sums);
}

namespace {

// Every target in the binary that the machine has, best (lowest bit) first.
std::vector<int64_t> usable_targets() {
  std::vector<int64_t> targets;
  hwy::SetSupportedTargetsForTest(0);
  for (int64_t rest = hwy::SupportedTargets() & HWY_TARGETS; rest != 0; rest &= rest - 1) {
    targets.push_back(rest & -rest);
  }
  return targets;
}

}  // namespace

std::vector<std::string> instruction_sets() {
  std::vector<std::string> names;
  for (const int64_t target : usable_targets()) names.emplace_back(hwy::TargetName(target));
  return names;
}

void choose_instruction_set(const std::string& name) {
  for (const int64_t target : usable_targets()) {
    if (!name.empty() && name != hwy::TargetName(target)) continue;
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    return;
  }
  std::string names;
  for (const std::string& usable : instruction_sets()) names += " " + usable;
  throw Error(format("this machine cannot run \"%s\"; it has%s", name.c_str(), names.c_str()));
}

std::string instruction_set() {
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  const int64_t targets = hwy::SupportedTargets() & HWY_TARGETS;
  return hwy::TargetName(targets & -targets);
}

}  // namespace acevec
#endif  // HWY_ONCE
