// Compiles the including file once for every instruction set that the compiler knows, each time in
// its own namespace; ACEVEC_KERNEL then selects the best one that the machine supports. Tests
// compare every instruction set with plain loops. Highway is parsed again each time, so putting
// several kernels in one file (ACEVEC_UNITY) saves most of that.
//
// Defines the vectors that all kernels use: as many floats as a register holds, but never more than
// kRowPadding, so that padded rows have a whole number of vectors. Included only by .cc files,
// before any other header of Highway.
#ifndef ACEVEC_KERNEL

// The file given to the compiler: the kernel, or a file that includes several.
#define HWY_TARGET_INCLUDE __BASE_FILE__
// Must come after HWY_TARGET_INCLUDE.
#include <hwy/foreach_target.h>

// Defines `name`, which the header declares as a pointer to a function, so that only the header has
// its parameters.
// NOLINTBEGIN(bugprone-macro-parentheses): a name cannot have any
#define ACEVEC_KERNEL(name, Kernel)                       \
  HWY_EXPORT(Kernel);                                     \
  constinit decltype(name) name = [](auto... arguments) { \
    return HWY_DYNAMIC_DISPATCH(Kernel)(arguments...);    \
  }
// NOLINTEND(bugprone-macro-parentheses)

#endif

// Highway compiles the rest once for each instruction set; hence the guard that toggles itself.

#if defined(ACEVEC_KERNELS_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ACEVEC_KERNELS_LANES_INL_H_
#undef ACEVEC_KERNELS_LANES_INL_H_
#else
#define ACEVEC_KERNELS_LANES_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <type_traits>

#include "math/aligned.h"

HWY_BEFORE_NAMESPACE();
namespace acevec::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, kRowPadding>;
using Vector = hn::Vec<Floats>;
constexpr Floats kFloats;
constexpr int64_t kLanes = static_cast<int64_t>(hn::MaxLanes(kFloats));

HWY_INLINE float Sum(Vector v) {
  return hn::GetLane(hn::SumOfLanes(kFloats, v));
}

HWY_INLINE double SumLanes(Vector v) {
  return static_cast<double>(Sum(v));
}

// row[0 .. kLanes − 1], of any alignment.
HWY_INLINE Vector Load(const float* row) {
  return hn::LoadU(kFloats, row);
}

// row[0 .. kLanes − 1] += change.
HWY_INLINE void Add(Vector change, float* row) {
  hn::StoreU(hn::Add(Load(row), change), kFloats, row);
}

// a · b, and y += scale · x, for rows of `width` floats, rounded up to a multiple of kLanes.
HWY_INLINE float Dot(const float* a, const float* b, int64_t width) {
  Vector sum = hn::Zero(kFloats);
  for (int64_t k = 0; k < width; k += kLanes) {
    sum = hn::MulAdd(Load(a + k), Load(b + k), sum);
  }
  return Sum(sum);
}

HWY_INLINE void AddScaled(const float* x, float scale, int64_t width, float* y) {
  const Vector scales = hn::Set(kFloats, scale);
  for (int64_t k = 0; k < width; k += kLanes) {
    Add(hn::Mul(scales, Load(x + k)), y + k);
  }
}

// The next vector of a row with `left` numbers left, filled up with `filler`.
HWY_INLINE Vector LoadSome(const float* from, int64_t left, float filler) {
  if (left >= kLanes) return Load(from);
  HWY_ALIGN float rest[kRowPadding];
  std::fill_n(rest, kLanes, filler);
  std::copy_n(from, left, rest);
  return hn::Load(kFloats, rest);
}

HWY_INLINE void StoreSome(Vector v, float* to, int64_t left) {
  if (left >= kLanes) {
    hn::StoreU(v, kFloats, to);
    return;
  }
  HWY_ALIGN float rest[kRowPadding];
  hn::Store(v, kFloats, rest);
  std::copy_n(rest, left, to);
}

// exp(x) for x ≤ 0: 2^n · 2^f with x = (n + f) · ln 2, n an integer, |f| ≤ ½, and a polynomial for
// 2^f. The relative error is ≤ 2e-7 · (1 + |x|). 0 below −88 and for NaN. Half of hn::Exp's work.
HWY_INLINE Vector ExpOfNegative(Vector x) {
  // The last bits of 1.5 · 2²³ + 127 + n are those of 127 + n, the exponent of 2^n.
  const Vector round = hn::Set(kFloats, 0x1.8p23F + 127);
  const Vector log2e = hn::Set(kFloats, 1.44269504F);
  const Vector least = hn::Set(kFloats, -88.0F);
  x = hn::IfThenElse(hn::Gt(x, least), x, least);
  const Vector rounded = hn::MulAdd(x, log2e, round);
  const Vector f = hn::MulSub(x, log2e, hn::Sub(rounded, round));
  const hn::RebindToUnsigned<Floats> bits;
  const Vector power = hn::BitCast(kFloats, hn::ShiftLeft<23>(hn::BitCast(bits, rounded)));
  Vector p = hn::MulAdd(f, hn::Set(kFloats, 0.00132647308F), hn::Set(kFloats, 0.00967151299F));
  p = hn::MulAdd(f, p, hn::Set(kFloats, 0.0555073358F));
  p = hn::MulAdd(f, p, hn::Set(kFloats, 0.240222424F));
  p = hn::MulAdd(f, p, hn::Set(kFloats, 0.693147004F));
  return hn::Mul(power, hn::MulAdd(f, p, hn::Set(kFloats, 1.0F)));
}

// Calls part(vectors, first column) until all columns are done, with as many vectors as fit in the
// registers. `vectors` is a compile-time constant.
template <int kVectors = 8, class Part>
HWY_INLINE void ForColumns(int64_t width, Part&& part, int64_t column = 0) {
  for (; column + kVectors * kLanes <= width; column += kVectors * kLanes) {
    part(std::integral_constant<int, kVectors>(), column);
  }
  if constexpr (kVectors > 1) ForColumns<kVectors - 1>(width, part, column);
}

// Sums over the coordinates k < size of `count` points, which are stored by coordinate: point j's
// is at points[k · stride + j]. term(sum, y, k, j) adds the terms of coordinate k, y, of a vector
// of points, j and the next ones. Several vectors at once, so that sums do not wait for each other.
// `out` has room for padded(count) floats.
template <class Term>
HWY_INLINE void SumTerms(const float* points, int64_t stride, int64_t size, int64_t count,
                         const Term& term, float* out) {
  const int64_t width = (count + kLanes - 1) / kLanes * kLanes;
  ForColumns<4>(width, [&](auto vectors, int64_t first) HWY_ATTR {
    constexpr int kVectors = vectors;
    Vector sums[kVectors];
    for (Vector& sum : sums) sum = hn::Zero(kFloats);
    for (int64_t k = 0; k < size; ++k) {
#pragma GCC unroll 4
      for (int i = 0; i < kVectors; ++i) {
        const int64_t j = first + i * kLanes;
        sums[i] = term(sums[i], hn::Load(kFloats, points + k * stride + j), k, j);
      }
    }
    for (int i = 0; i < kVectors; ++i) {
      hn::StoreU(sums[i], kFloats, out + first + i * kLanes);
    }
  });
}

}  // namespace acevec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
