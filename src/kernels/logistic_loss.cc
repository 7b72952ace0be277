#include "kernels/logistic_loss.h"

#include <algorithm>

#include "kernels/lanes-inl.h"
// Must come after it.
#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace acevec::HWY_NAMESPACE {

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
  const Vector e = ExpOfNegative(hn::Neg(hn::Abs(s)));
  const Vector one_plus_e = hn::Add(one, e);
  const Vector inverse = hn::Div(one, one_plus_e);
  const Vector zero = hn::Zero(kFloats);
  const Vector sigmoid = hn::IfThenElse(hn::Ge(s, zero), inverse, hn::Mul(e, inverse));
  // Not Max(s, 0), which may turn a NaN into 0: the loss is what shows it.
  return {sigmoid, hn::IfThenZeroElse(hn::Lt(s, zero), s), one_plus_e};
}

// Sums log(1 + exp(s)) over at most kMost scores a lane, as described above: the logarithm of the
// product can wait for those of other rows.
class RowLoss {
 public:
  static constexpr int64_t kMost = 100;  // factors, at most 2 each; 2¹²⁷ still is a float

  // Spelled out: a constructor that the compiler makes itself would lack the instruction set.
  HWY_INLINE RowLoss() : sum_(hn::Zero(kFloats)), product_(hn::Set(kFloats, 1.0F)) {}

  HWY_INLINE void Add(const Logistic& logistic) {
    sum_ = hn::Add(sum_, logistic.hinge);
    product_ = hn::Mul(product_, logistic.one_plus_e);
  }

  HWY_INLINE Vector sum() const { return sum_; }
  HWY_INLINE float Product() const { return ProductOfLanes(kFloats, product_); }

 protected:
  Vector sum_;
  Vector product_;

 private:
  template <class D>
  static HWY_INLINE float ProductOfLanes(D d, hn::Vec<D> v) {
    if constexpr (hn::MaxLanes(d) <= 4) {
      const hn::Vec<D> pairs = hn::Mul(v, hn::Shuffle1032(v));
      return hn::GetLane(hn::Mul(pairs, hn::Shuffle2301(pairs)));
    } else {
      const hn::Half<D> half;
      return ProductOfLanes(half, hn::Mul(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
    }
  }
};

// The same over any number of scores.
class LossSum : public RowLoss {
 public:
  HWY_INLINE LossSum() {}  // NOLINT(modernize-use-equals-default): as above

  HWY_INLINE void Add(const Logistic& logistic) {
    RowLoss::Add(logistic);
    if (++factors_ == kMost) TakeLogarithm();
  }

  HWY_INLINE Vector Total() {
    TakeLogarithm();
    return sum_;
  }

 private:
  HWY_INLINE void TakeLogarithm() {
    sum_ = hn::Add(sum_, hn::Log(kFloats, product_));
    product_ = hn::Set(kFloats, 1.0F);
    factors_ = 0;
  }

  int factors_ = 0;
};

// Replaces each s of scores by step · σ(sign · s) and adds what it costs to `loss`, which has
// Add(Logistic).
template <class Loss>
HWY_INLINE void Differentiate(float* scores, int64_t count, float sign, float step, Loss& loss) {
  const Vector signs = hn::Set(kFloats, sign);
  const Vector steps = hn::Set(kFloats, step);
  for (int64_t i = 0; i < count; i += kLanes) {
    const Vector s = LoadSome(scores + i, count - i, -sign * kNoPair);
    const Logistic logistic = LogisticOf(hn::Mul(signs, s));
    StoreSome(hn::Mul(steps, logistic.sigmoid), scores + i, count - i);
    loss.Add(logistic);
  }
}

// As many rows as a vector has lanes, or fewer: one logarithm for all.
HWY_INLINE Vector LossOfSomeRows(float* scores, int64_t rows, int64_t columns, const float* weights,
                                 float step) {
  HWY_ALIGN float products[kRowPadding];
  HWY_ALIGN float some_weights[kRowPadding];
  std::fill_n(products, kRowPadding, 1.0F);
  std::fill_n(some_weights, kRowPadding, 0.0F);
  std::copy_n(weights, rows, some_weights);
  Vector loss = hn::Zero(kFloats);
  for (int64_t i = 0; i < rows; ++i) {
    RowLoss row;
    Differentiate(scores + i * columns, columns, 1.0F, -step * weights[i], row);
    loss = hn::MulAdd(hn::Set(kFloats, weights[i]), row.sum(), loss);
    products[i] = row.Product();
  }
  const Vector logarithms = hn::Log(kFloats, hn::Load(kFloats, products));
  return hn::MulAdd(hn::Load(kFloats, some_weights), logarithms, loss);
}

double LossOfNegatives(float* scores, int64_t rows, int64_t columns, const float* weights,
                       float step) {
  Vector loss = hn::Zero(kFloats);
  if (columns <= RowLoss::kMost) {
    for (int64_t i = 0; i < rows; i += kLanes) {
      loss = hn::Add(loss, LossOfSomeRows(scores + i * columns, std::min(kLanes, rows - i), columns,
                                          weights + i, step));
    }
    return SumLanes(loss);
  }
  for (int64_t i = 0; i < rows; ++i) {
    LossSum row;
    Differentiate(scores + i * columns, columns, 1.0F, -step * weights[i], row);
    loss = hn::MulAdd(hn::Set(kFloats, weights[i]), row.Total(), loss);
  }
  return SumLanes(loss);
}

// Each pair has a logarithm of its own, since its weight is an exponent in the product.
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
  LossSum loss;
  Differentiate(scores, count, -1.0F, step, loss);
  return SumLanes(loss.Total());
}

}  // namespace acevec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace acevec {

ACEVEC_KERNEL(logistic_loss_of_negatives, LossOfNegatives);
ACEVEC_KERNEL(logistic_loss_of_positives, LossOfPositives);

}  // namespace acevec
#endif  // HWY_ONCE
