#include "kernels/logistic_loss.h"

#include "kernels/lanes-inl.h"
// Must come after lanes-inl.h.
#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace acevec::HWY_NAMESPACE {

// With e = exp(−|s|): σ(s) = 1/(1+e) for s ≥ 0 and e/(1+e) below, and log(1 + exp(s)) = max(s,
// 0) + log(1 + e). One logarithm is taken of a product of many (1 + e), each in 1 .. 2, so that the
// exact loss costs one multiplication per pair.
struct Logistic {
  Vector sigmoid;     // σ(s)
  Vector hinge;       // max(s, 0)
  Vector one_plus_e;  // 1 + exp(−|s|)
};

HWY_INLINE Logistic LogisticOf(Vector s) {
  const Vector one = hn::Set(kFloats, 1.0F);
  const Vector e = ExpOfNegative(hn::Neg(hn::Abs(s)));
  const Vector one_plus_e = hn::Add(one, e);
  const Vector inverse = hn::Div(one, one_plus_e);
  const Vector zero = hn::Zero(kFloats);
  const Vector sigmoid = hn::IfThenElse(hn::Ge(s, zero), inverse, hn::Mul(e, inverse));
  // Not Max(s, 0), which may turn a NaN into 0: the loss must reveal it.
  return {sigmoid, hn::IfThenZeroElse(hn::Lt(s, zero), s), one_plus_e};
}

constexpr int64_t kMostFactors = 100;  // factors of a product; each is ≤ 2, and 2¹²⁷ is a float

// The loss of scores, Σ log(1 + exp(s)), is sum + log(product).
struct LossParts {
  Vector sum;
  Vector product;
};

// Replaces scores s, at most kMostFactors per lane, by step · σ(sign · s). Returns `sum` + loss.
HWY_INLINE LossParts Differentiate(float* scores, int64_t count, float sign, float step,
                                   Vector sum) {
  const Vector signs = hn::Set(kFloats, sign);
  const Vector steps = hn::Set(kFloats, step);
  Vector product = hn::Set(kFloats, 1.0F);
  for (int64_t i = 0; i < count; i += kLanes) {
    const Vector s = LoadSome(scores + i, count - i, -sign * kNoPair);
    const Logistic logistic = LogisticOf(hn::Mul(signs, s));
    StoreSome(hn::Mul(steps, logistic.sigmoid), scores + i, count - i);
    sum = hn::Add(sum, logistic.hinge);
    product = hn::Mul(product, logistic.one_plus_e);
  }
  return {sum, product};
}

// The same for any number of scores. Returns only the loss.
HWY_INLINE Vector LossOfMany(float* scores, int64_t count, float sign, float step) {
  constexpr int64_t kScoresPerStep = kMostFactors * kLanes;
  Vector sum = hn::Zero(kFloats);
  for (int64_t i = 0; i < count; i += kScoresPerStep) {
    const LossParts loss =
        Differentiate(scores + i, std::min(count - i, kScoresPerStep), sign, step, sum);
    sum = hn::Add(loss.sum, hn::Log(kFloats, loss.product));
  }
  return sum;
}

template <class D>
HWY_INLINE float ProductOfLanes(D d, hn::Vec<D> v) {
  if constexpr (hn::MaxLanes(d) <= 4) {
    const hn::Vec<D> pairs = hn::Mul(v, hn::Shuffle1032(v));
    return hn::GetLane(hn::Mul(pairs, hn::Shuffle2301(pairs)));
  } else {
    const hn::Half<D> half;
    return ProductOfLanes(half, hn::Mul(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
  }
}

// Takes at most kLanes rows, of at most kMostFactors columns: one logarithm serves all.
HWY_INLINE Vector LossOfSomeRows(float* scores, int64_t rows, int64_t columns, const float* weights,
                                 float step) {
  HWY_ALIGN float products[kRowPadding];
  std::fill_n(products, kRowPadding, 1.0F);
  Vector sum = hn::Zero(kFloats);
  for (int64_t i = 0; i < rows; ++i) {
    const LossParts loss =
        Differentiate(scores + i * columns, columns, 1.0F, -step * weights[i], hn::Zero(kFloats));
    sum = hn::MulAdd(hn::Set(kFloats, weights[i]), loss.sum, sum);
    products[i] = ProductOfLanes(kFloats, loss.product);
  }
  const Vector logarithms = hn::Log(kFloats, hn::Load(kFloats, products));
  return hn::MulAdd(LoadSome(weights, rows, 0.0F), logarithms, sum);
}

double LossOfNegatives(float* scores, int64_t rows, int64_t columns, const float* weights,
                       float step) {
  Vector loss = hn::Zero(kFloats);
  if (columns <= kMostFactors) {
    for (int64_t i = 0; i < rows; i += kLanes) {
      loss = hn::Add(loss, LossOfSomeRows(scores + i * columns, std::min(kLanes, rows - i), columns,
                                          weights + i, step));
    }
    return SumLanes(loss);
  }
  for (int64_t i = 0; i < rows; ++i) {
    const Vector row = LossOfMany(scores + i * columns, columns, 1.0F, -step * weights[i]);
    loss = hn::MulAdd(hn::Set(kFloats, weights[i]), row, loss);
  }
  return SumLanes(loss);
}

// Each pair needs its own logarithm, since its weight is an exponent in the product.
double LossOfWeighted(float* scores, int64_t count, const float* weights, float step) {
  Vector loss = hn::Zero(kFloats);
  for (int64_t i = 0; i < count; i += kLanes) {
    const Logistic logistic = LogisticOf(hn::Neg(LoadSome(scores + i, count - i, kNoPair)));
    const Vector weight = LoadSome(weights + i, count - i, 0.0F);
    const Vector gradient = hn::Mul(hn::Set(kFloats, step), hn::Mul(weight, logistic.sigmoid));
    StoreSome(gradient, scores + i, count - i);
    const Vector own = hn::Add(logistic.hinge, hn::Log(kFloats, logistic.one_plus_e));
    loss = hn::MulAdd(weight, own, loss);
  }
  return SumLanes(loss);
}

double LossOfPositives(float* scores, int64_t count, const float* weights, float step) {
  if (weights != nullptr) return LossOfWeighted(scores, count, weights, step);
  return SumLanes(LossOfMany(scores, count, -1.0F, step));
}

}  // namespace acevec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace acevec {

ACEVEC_KERNEL(logistic_loss_of_negatives, LossOfNegatives);
ACEVEC_KERNEL(logistic_loss_of_positives, LossOfPositives);

}  // namespace acevec
#endif  // HWY_ONCE
