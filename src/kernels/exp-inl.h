// The exponential of numbers that are not positive, for what is compiled for every instruction set
// (kernels/products.h). Included by .cc files only, after <hwy/highway.h>.
//
// Highway compiles this file once for each instruction set; hence the guard that is its own
// opposite.
#if defined(ACEVEC_KERNELS_EXP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ACEVEC_KERNELS_EXP_INL_H_
#undef ACEVEC_KERNELS_EXP_INL_H_
#else
#define ACEVEC_KERNELS_EXP_INL_H_
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace acevec::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// exp(x) for x ≤ 0: 2^n · 2^f with x = (n + f) · ln 2, n whole, |f| ≤ ½, and a polynomial for 2^f.
// The error is at most 2e-7 · (1 + |x|) of the result. Below −88 and for what is not a number it is
// 0. Half the work of hn::Exp, which takes all x.
template <class D>
HWY_INLINE hn::Vec<D> ExpOfNegative(D d, hn::Vec<D> x) {
  // The last bits of 1.5 · 2²³ + 127 + n are those of 127 + n, the exponent of 2^n.
  const auto round = hn::Set(d, 0x1.8p23F + 127);
  const auto log2e = hn::Set(d, 1.44269504F);
  const auto least = hn::Set(d, -88.0F);
  x = hn::IfThenElse(hn::Gt(x, least), x, least);
  const auto rounded = hn::MulAdd(x, log2e, round);
  const auto f = hn::MulSub(x, log2e, hn::Sub(rounded, round));
  const hn::RebindToUnsigned<D> bits;
  const auto power = hn::BitCast(d, hn::ShiftLeft<23>(hn::BitCast(bits, rounded)));
  auto p = hn::MulAdd(f, hn::Set(d, 0.00132647308F), hn::Set(d, 0.00967151299F));
  p = hn::MulAdd(f, p, hn::Set(d, 0.0555073358F));
  p = hn::MulAdd(f, p, hn::Set(d, 0.240222424F));
  p = hn::MulAdd(f, p, hn::Set(d, 0.693147004F));
  return hn::Mul(power, hn::MulAdd(f, p, hn::Set(d, 1.0F)));
}

}  // namespace acevec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
