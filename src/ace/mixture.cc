#include "ace/mixture.h"

#include <algorithm>
#include <cmath>

#include "math/aligned.h"

// As in math/kernels.cc.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ace/mixture.cc"
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
constexpr float kLargest = 20;  // of h, and of 1/h

// The next vector of a row that has `left` numbers left, zeros behind its end.
HWY_INLINE Vector LoadSome(const float* from, int64_t left) {
  if (left >= kLanes) return hn::LoadU(kFloats, from);
  HWY_ALIGN float rest[kRowPadding];
  std::fill_n(rest, kLanes, 0.0F);
  std::copy_n(from, left, rest);
  return hn::Load(kFloats, rest);
}

HWY_INLINE void StoreSome(Vector v, float* to, int64_t left) {
  if (left >= kLanes) return hn::StoreU(v, kFloats, to);
  HWY_ALIGN float rest[kRowPadding];
  hn::Store(v, kFloats, rest);
  std::copy_n(rest, left, to);
}

HWY_INLINE double SumLanes(Vector v) {
  return static_cast<double>(hn::GetLane(hn::SumOfLanes(kFloats, v)));
}

// Of a row's weights before (w) and after (p = w f).
struct Sums {
  double g;           // Σ g
  double w, wt;       // Σ w, Σ w t
  double p, pt, pt2;  // Σ p, Σ p t, Σ p t²
};

HWY_INLINE Sums SumUp(const float* g, const float* t, int64_t n, Vector noise, Vector share,
                      const float* weights) {
  Vector sums[6];
  for (Vector& sum : sums) sum = hn::Zero(kFloats);
  for (int64_t k = 0; k < n; k += kLanes) {
    const Vector chance = LoadSome(g + k, n - k);
    const Vector at = LoadSome(t + k, n - k);
    const Vector w = LoadSome(weights + k, n - k);
    const Vector p = hn::Mul(w, hn::MulAdd(share, chance, noise));
    const Vector pt = hn::Mul(p, at);
    sums[0] = hn::Add(sums[0], chance);
    sums[1] = hn::Add(sums[1], w);
    sums[2] = hn::MulAdd(w, at, sums[2]);
    sums[3] = hn::Add(sums[3], p);
    sums[4] = hn::Add(sums[4], pt);
    sums[5] = hn::MulAdd(pt, at, sums[5]);
  }
  return {SumLanes(sums[0]), SumLanes(sums[1]), SumLanes(sums[2]),
          SumLanes(sums[3]), SumLanes(sums[4]), SumLanes(sums[5])};
}

void MixCandidates(const float* g, const float* t, int64_t n, float a, float force,
                   float* weights) {
  if (a == 0) return;
  const Vector noise = hn::Set(kFloats, 1 - a);
  const Vector share = hn::Set(kFloats, a * static_cast<float>(n));
  const Sums sums = SumUp(g, t, n, noise, share, weights);
  if (sums.g == 0) return;
  double level = 1;
  double slope = 0;
  const double size = std::abs(sums.p);
  if (force > 0 && size > 0) {
    const double wanted = 1 + static_cast<double>(a) * (static_cast<double>(force) - 1);
    const double mean = sums.pt / sums.p;
    const double spread = sums.pt2 - mean * sums.pt;  // Σ p (t − mean)², with the sign of p
    level = wanted * sums.w / sums.p;
    if (std::abs(spread) > 1e-6 * size) slope = (wanted * sums.wt - level * sums.pt) / spread;
    level -= slope * mean;
  }
  const Vector levels = hn::Set(kFloats, static_cast<float>(level));
  const Vector slopes = hn::Set(kFloats, static_cast<float>(slope));
  for (int64_t k = 0; k < n; k += kLanes) {
    const Vector f = hn::MulAdd(share, LoadSome(g + k, n - k), noise);
    const Vector h = hn::Clamp(hn::MulAdd(slopes, LoadSome(t + k, n - k), levels),
                               hn::Set(kFloats, 1 / kLargest), hn::Set(kFloats, kLargest));
    StoreSome(hn::Mul(LoadSome(weights + k, n - k), hn::Mul(f, h)), weights + k, n - k);
  }
}

}  // namespace acevec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace acevec {

HWY_EXPORT(MixCandidates);

void mix_candidates(const float* g, const float* t, int64_t n, float a, float force,
                    float* weights) {
  HWY_DYNAMIC_DISPATCH(MixCandidates)(g, t, n, a, force, weights);
}

}  // namespace acevec
#endif  // HWY_ONCE
