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

// A tile of kRows × kVectors accumulators stays in registers: 32 of them (AVX-512, NEON) hold
// 4 × 6 and the operands, 16 (AVX2, SSE) 4 × 2 or 4 × 3.
constexpr int64_t kTileRows = 4;
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

// All rows, for a panel of kVectors vectors: the panel of b stays in the first cache.
template <int kVectors>
HWY_INLINE void MixPanel(Weights weights, int64_t rows, const float* b, int64_t inner,
                         int64_t width, float* out, bool add) {
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
  const int64_t vectors = width / kLanes;
  // Panels of nearly equal width: 7 vectors are 4 + 3, not 6 + 1.
  const int64_t panels = (vectors + kTileVectors - 1) / kTileVectors;
  int64_t done = 0;
  for (int64_t panel = 0; panel < panels; ++panel) {
    const int64_t count = (vectors - done + panels - panel - 1) / (panels - panel);
    const float* b_panel = b + done * kLanes;
    float* out_panel = out + done * kLanes;
    switch (count) {
      case 1:
        MixPanel<1>(weights, rows, b_panel, inner, width, out_panel, add);
        break;
      case 2:
        MixPanel<2>(weights, rows, b_panel, inner, width, out_panel, add);
        break;
      case 3:
        MixPanel<3>(weights, rows, b_panel, inner, width, out_panel, add);
        break;
      case 4:
        MixPanel<4>(weights, rows, b_panel, inner, width, out_panel, add);
        break;
      case 5:
        MixPanel<5>(weights, rows, b_panel, inner, width, out_panel, add);
        break;
      default:
        MixPanel<6>(weights, rows, b_panel, inner, width, out_panel, add);
        break;
    }
    done += count;
  }
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
  return {sigmoid, hn::Max(s, zero), one_plus_e};
}

// Sums of log(1 + exp(s)) over many scores, as described above.
class LossSum {
 public:
  // Spelled out: a constructor that the compiler makes itself would lack the instruction set.
  HWY_INLINE LossSum() : hinges_(hn::Zero(kFloats)), product_(hn::Set(kFloats, 1.0F)) {}

  HWY_INLINE void Add(const Logistic& logistic) {
    hinges_ = hn::Add(hinges_, logistic.hinge);
    product_ = hn::Mul(product_, logistic.one_plus_e);
    if (++factors_ == kMaxFactors) TakeLogarithm();
  }

  HWY_INLINE double Total() {
    TakeLogarithm();
    return logarithms_ + static_cast<double>(hn::GetLane(hn::SumOfLanes(kFloats, hinges_)));
  }

 private:
  // Factors are at most 2, so a lane stays below 2⁶⁰, four of them below 2²⁴⁰.
  static constexpr int kMaxFactors = 60;

  HWY_INLINE void TakeLogarithm() {
    HWY_ALIGN float lanes[kRowPadding];
    hn::Store(product_, kFloats, lanes);
    for (int64_t i = 0; i < kLanes; i += 4) {
      double four = 1;
      for (int64_t j = i; j < i + 4; ++j) four *= static_cast<double>(lanes[j]);
      logarithms_ += std::log(four);
    }
    product_ = hn::Set(kFloats, 1.0F);
    factors_ = 0;
  }

  Vector hinges_;
  Vector product_;
  double logarithms_ = 0;
  int factors_ = 0;
};

// Replaces each s by step · σ(sign · s) and returns Σ log(1 + exp(sign · s)).
HWY_INLINE double Push(float* scores, int64_t count, float sign, float step) {
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

double RepelScores(float* scores, int64_t rows, int64_t columns, const float* weights, float step) {
  double loss = 0;
  for (int64_t i = 0; i < rows; ++i) {
    const double row_loss = Push(scores + i * columns, columns, 1.0F, -step * weights[i]);
    loss += static_cast<double>(weights[i]) * row_loss;
  }
  return loss;
}

double AttractScores(float* scores, int64_t count, float step) {
  return Push(scores, count, -1.0F, step);
}

}  // namespace acevec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace acevec {

HWY_EXPORT(ScoreRows);
HWY_EXPORT(MixRows);
HWY_EXPORT(RepelScores);
HWY_EXPORT(AttractScores);

void score_rows(const float* a, int64_t a_rows, const float* b, int64_t b_rows, int64_t width,
                float* scores, int64_t score_stride) {
  HWY_DYNAMIC_DISPATCH(ScoreRows)(a, a_rows, b, b_rows, width, scores, score_stride);
}

void mix_rows(Weights weights, int64_t rows, const float* b, int64_t inner, int64_t width,
              float* out, bool add) {
  HWY_DYNAMIC_DISPATCH(MixRows)(weights, rows, b, inner, width, out, add);
}

double repel_scores(float* scores, int64_t rows, int64_t columns, const float* weights,
                    float step) {
  return HWY_DYNAMIC_DISPATCH(RepelScores)(scores, rows, columns, weights, step);
}

double attract_scores(float* scores, int64_t count, float step) {
  return HWY_DYNAMIC_DISPATCH(AttractScores)(scores, count, step);
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
