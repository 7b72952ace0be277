#include "kernels/policy_kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/lanes-inl.h"
// Must come after lanes-inl.h.
#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace acevec::HWY_NAMESPACE {

using Bytes = hn::Rebind<uint8_t, Floats>;
using Ints = hn::RebindToSigned<Floats>;
using Mask = hn::Mask<Floats>;
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr int64_t kStretch = 1024;   // candidates that are few enough to be summed in float
constexpr float kLargest = 20;       // bound of MixCandidates()'s factors, and of their inverses
constexpr double kLeastSum = 1e-30;  // least sum of probabilities; its inverse is a float

// The next candidates that are not observed; past the end of the row all count as observed.
HWY_INLINE Mask NotObserved(const uint8_t* observed, int64_t left) {
  if (observed == nullptr) {
    return hn::FirstN(kFloats, static_cast<size_t>(std::min(left, kLanes)));
  }
  HWY_ALIGN uint8_t rest[kRowPadding];
  if (left < kLanes) {
    std::fill_n(rest, kLanes, uint8_t{1});
    std::copy_n(observed, left, rest);
    observed = rest;
  }
  const Ints ints;
  const auto flags = hn::PromoteTo(ints, hn::LoadU(Bytes(), observed));
  return hn::RebindMask(kFloats, hn::Eq(flags, hn::Zero(ints)));
}

// row = scale · logits, −∞ where observed or NaN. Returns the largest, in all lanes.
HWY_INLINE Vector MaskLogits(const float* logits, Vector scale, const uint8_t* observed,
                             int64_t candidates, float* row) {
  const Vector never = hn::Set(kFloats, -kInfinity);
  Vector most = never;
  for (int64_t k = 0; k < candidates; k += kLanes) {
    const Vector logit = hn::Mul(scale, LoadSome(logits + k, candidates - k, 0.0F));
    const Mask allowed = NotObserved(observed == nullptr ? nullptr : observed + k, candidates - k);
    const Mask number = hn::Eq(logit, logit);
    const Vector masked = hn::IfThenElse(hn::And(allowed, number), logit, never);
    most = hn::Max(most, masked);
    StoreSome(masked, row + k, candidates - k);
  }
  return hn::MaxOfLanes(kFloats, most);
}

// With t = logit − most: Σ exp(t) and Σ exp(t) t.
struct ExpSums {
  double sum = 0;
  double weighted = 0;
};

// row = exp(row − most), summed in float over stretches of `stretch` candidates. NaN stays NaN.
// `weighted` is computed only if kWeighted.
template <bool kWeighted>
HWY_INLINE ExpSums Exponentiate(float* row, int64_t candidates, Vector most, int64_t stretch) {
  ExpSums sums;
  for (int64_t begin = 0; begin < candidates; begin += stretch) {
    Vector sum = hn::Zero(kFloats);
    Vector weighted = hn::Zero(kFloats);
    for (int64_t k = begin; k < std::min(begin + stretch, candidates); k += kLanes) {
      const Vector logit = LoadSome(row + k, candidates - k, -kInfinity);
      const Vector t = hn::Sub(logit, most);
      const Vector e = hn::IfThenElse(hn::Eq(logit, logit), ExpOfNegative(t), logit);
      sum = hn::Add(sum, e);
      // 0 · −∞ must be 0: a probability of 0 contributes no entropy.
      if constexpr (kWeighted) {
        weighted =
            hn::Add(weighted, hn::IfThenElseZero(hn::Gt(e, hn::Zero(kFloats)), hn::Mul(e, t)));
      }
      StoreSome(e, row + k, candidates - k);
    }
    sums.sum += SumLanes(sum);
    if constexpr (kWeighted) sums.weighted += SumLanes(weighted);
  }
  return sums;
}

// Divides a row by its sum. A row with almost no probability becomes 0, so that nothing is chosen.
HWY_INLINE void ScaleRow(double sum, int64_t candidates, float* row) {
  const Vector inverse = hn::Set(kFloats, sum > kLeastSum ? static_cast<float>(1 / sum) : 0.0F);
  for (int64_t k = 0; k < candidates; k += kLanes) {
    const Vector e = LoadSome(row + k, candidates - k, 0.0F);
    StoreSome(hn::Mul(e, inverse), row + k, candidates - k);
  }
}

void SoftmaxRow(const float* logits, Vector scale, const uint8_t* observed, int64_t candidates,
                float* row, float* entropy) {
  const Vector most = MaskLogits(logits, scale, observed, candidates, row);
  const ExpSums sums = entropy == nullptr ? Exponentiate<false>(row, candidates, most, kStretch)
                                          : Exponentiate<true>(row, candidates, most, kStretch);
  ScaleRow(sums.sum, candidates, row);
  if (entropy == nullptr) return;
  // −Σ g log g = log Σ e^t − Σ e^t t / Σ e^t
  const double exact = sums.sum > 0 ? std::log(sums.sum) - sums.weighted / sums.sum : 0.0;
  *entropy = static_cast<float>(std::max(0.0, exact));
}

void SoftmaxRows(const float* logits, float scale, const Choices& choices, float* probabilities,
                 float* entropies) {
  const auto [observed, rows, candidates] = choices;
  for (int64_t i = 0; i < rows; ++i) {
    const int64_t at = i * candidates;
    SoftmaxRow(logits + at, hn::Set(kFloats, scale), observed == nullptr ? nullptr : observed + at,
               candidates, probabilities + at, entropies == nullptr ? nullptr : entropies + i);
  }
}

void SoftmaxScores(float* scores, int64_t rows, int64_t columns, float* log_sums) {
  for (int64_t i = 0; i < rows; ++i) {
    float* const row = scores + i * columns;
    Vector most = hn::Set(kFloats, -kInfinity);
    for (int64_t k = 0; k < columns; k += kLanes) {
      most = hn::Max(most, LoadSome(row + k, columns - k, -kInfinity));
    }
    most = hn::MaxOfLanes(kFloats, most);
    const double sum = Exponentiate<false>(row, columns, most, columns).sum;
    ScaleRow(sum, columns, row);
    log_sums[i] = hn::GetLane(most) + std::log(static_cast<float>(sum));
  }
}

// Sums over stretches short enough for float, as in Exponentiate().
double LeaveOutObserved(const uint8_t* observed, int64_t rows, int64_t candidates,
                        float* probabilities) {
  double kept = 0;
  for (int64_t i = 0; i < rows; ++i) {
    float* const row = probabilities + i * candidates;
    double row_sum = 0;
    for (int64_t begin = 0; begin < candidates; begin += kStretch) {
      Vector sum = hn::Zero(kFloats);
      for (int64_t k = begin; k < std::min(begin + kStretch, candidates); k += kLanes) {
        const int64_t left = candidates - k;
        const Mask allowed = NotObserved(observed + i * candidates + k, left);
        const Vector g = hn::IfThenElseZero(allowed, LoadSome(row + k, left, 0.0F));
        sum = hn::Add(sum, g);
        StoreSome(g, row + k, left);
      }
      row_sum += SumLanes(sum);
    }
    ScaleRow(row_sum, candidates, row);
    kept += row_sum;
  }
  return kept;
}

double ExpectedRewardGradient(const float* probabilities, const float* rewards, int64_t rows,
                              int64_t candidates, float* gradient) {
  double total = 0;
  for (int64_t i = 0; i < rows; ++i) {
    const float* const g = probabilities + i * candidates;
    const float* const r = rewards + i * candidates;
    Vector sum = hn::Zero(kFloats);
    for (int64_t k = 0; k < candidates; k += kLanes) {
      const int64_t left = candidates - k;
      sum = hn::MulAdd(LoadSome(g + k, left, 0.0F), LoadSome(r + k, left, 0.0F), sum);
    }
    const double mean = SumLanes(sum);
    for (int64_t k = 0; k < candidates; k += kLanes) {
      const int64_t left = candidates - k;
      const Vector advantage =
          hn::Sub(LoadSome(r + k, left, 0.0F), hn::Set(kFloats, static_cast<float>(mean)));
      StoreSome(hn::Mul(LoadSome(g + k, left, 0.0F), advantage), gradient + i * candidates + k,
                left);
    }
    total += mean;
  }
  return total;
}

void AddEntropyFloorGradient(const float* probabilities, const float* entropies, float floor,
                             int64_t rows, int64_t candidates, float* gradient) {
  for (int64_t i = 0; i < rows; ++i) {
    if (!(entropies[i] < floor)) continue;
    const Vector entropy = hn::Set(kFloats, entropies[i]);
    float* const out = gradient + i * candidates;
    for (int64_t k = 0; k < candidates; k += kLanes) {
      const int64_t left = candidates - k;
      const Vector g = LoadSome(probabilities + i * candidates + k, left, 0.0F);
      const Vector slope = hn::Mul(g, hn::Add(hn::Log(kFloats, g), entropy));
      // g log g is 0 at 0.
      const Vector change = hn::IfThenElseZero(hn::Gt(g, hn::Zero(kFloats)), slope);
      StoreSome(hn::Sub(LoadSome(out + k, left, 0.0F), change), out + k, left);
    }
  }
}

// −log σ(−s) = log(1 + exp(s)) = max(s, 0) + log(1 + exp(−|s|)).
void NegativeLosses(const float* scores, int64_t count, float* losses) {
  for (int64_t k = 0; k < count; k += kLanes) {
    const Vector s = LoadSome(scores + k, count - k, 0.0F);
    const Vector e = ExpOfNegative(hn::Neg(hn::Abs(s)));
    // As in kernels/logistic_loss.cc, not Max(s, 0), which could hide a NaN.
    const Vector hinge = hn::IfThenZeroElse(hn::Lt(s, hn::Zero(kFloats)), s);
    StoreSome(hn::Add(hinge, hn::Log1p(kFloats, e)), losses + k, count - k);
  }
}

// Sums over a row's weights before (w) and after (p = w f).
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
    const Vector chance = LoadSome(g + k, n - k, 0.0F);
    const Vector at = LoadSome(t + k, n - k, 0.0F);
    const Vector w = LoadSome(weights + k, n - k, 0.0F);
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
    const Vector f = hn::MulAdd(share, LoadSome(g + k, n - k, 0.0F), noise);
    const Vector h = hn::Clamp(hn::MulAdd(slopes, LoadSome(t + k, n - k, 0.0F), levels),
                               hn::Set(kFloats, 1 / kLargest), hn::Set(kFloats, kLargest));
    StoreSome(hn::Mul(LoadSome(weights + k, n - k, 0.0F), hn::Mul(f, h)), weights + k, n - k);
  }
}

}  // namespace acevec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace acevec {

ACEVEC_KERNEL(softmax_rows, SoftmaxRows);
ACEVEC_KERNEL(softmax_scores, SoftmaxScores);
ACEVEC_KERNEL(leave_out_observed, LeaveOutObserved);
ACEVEC_KERNEL(expected_reward_gradient, ExpectedRewardGradient);
ACEVEC_KERNEL(add_entropy_floor_gradient, AddEntropyFloorGradient);
ACEVEC_KERNEL(negative_losses, NegativeLosses);
ACEVEC_KERNEL(mix_candidates, MixCandidates);

}  // namespace acevec
#endif  // HWY_ONCE
