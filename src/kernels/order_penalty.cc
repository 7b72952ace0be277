#include "kernels/order_penalty.h"

#include <algorithm>

#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace acevec::HWY_NAMESPACE {

// The amount by which y exceeds x, or 0.
HWY_INLINE Vector Excess(Vector x, Vector y) {
  return hn::Max(hn::Zero(kFloats), hn::Sub(y, x));
}

float Penalty(const float* x, const float* y, int64_t width) {
  Vector sum = hn::Zero(kFloats);
  for (int64_t k = 0; k < width; k += kLanes) {
    const Vector over = Excess(Load(x + k), Load(y + k));
    sum = hn::MulAdd(over, over, sum);
  }
  return Sum(sum);
}

void AddPenaltyGradient(const float* x, const float* y, int64_t width, float scale,
                        float* x_gradient, float* y_gradient) {
  const Vector twice = hn::Set(kFloats, 2 * scale);
  for (int64_t k = 0; k < width; k += kLanes) {
    const Vector change = hn::Mul(twice, Excess(Load(x + k), Load(y + k)));
    if (x_gradient != nullptr) Add(hn::Neg(change), x_gradient + k);
    if (y_gradient != nullptr) Add(change, y_gradient + k);
  }
}

// Others that are processed at once, one per lane, so that no sum runs across lanes.
constexpr int64_t kOthers = kRowPadding;

// Transposes: puts coordinate k of `some` others side by side at transposed + k · kOthers.
void Transpose(const float* others, int64_t some, int64_t columns, int64_t stride,
               float* transposed) {
  for (int64_t j = 0; j < some; ++j) {
    for (int64_t k = 0; k < columns; ++k) transposed[k * kOthers + j] = others[j * stride + k];
  }
}

// Computes kRows rows of the table for `some` transposed others. Several rows at a time, so that
// sums do not wait for each other.
template <bool kReplacesGeneral, int64_t kRows>
HWY_INLINE void PenaltyRows(const VectorRows& conditions, int64_t first, const float* transposed,
                            int64_t some, FloatRows table) {
  const float* const rows = conditions.data + first * conditions.stride;
  for (int64_t lane = 0; lane < some; lane += kLanes) {
    Vector sums[kRows];
    for (Vector& sum : sums) sum = hn::Zero(kFloats);
    for (int64_t k = 0; k < conditions.columns; ++k) {
      const Vector other = hn::Load(kFloats, transposed + k * kOthers + lane);
      for (int64_t i = 0; i < kRows; ++i) {
        const Vector kept = hn::Set(kFloats, rows[i * conditions.stride + k]);
        const Vector over = kReplacesGeneral ? Excess(kept, other) : Excess(other, kept);
        sums[i] = hn::MulAdd(over, over, sums[i]);
      }
    }
    for (int64_t i = 0; i < kRows; ++i) {
      HWY_ALIGN float penalties[kLanes];
      hn::Store(sums[i], kFloats, penalties);
      std::copy_n(penalties, std::min(kLanes, some - lane), table.data + i * table.stride + lane);
    }
  }
}

template <bool kReplacesGeneral>
void Table(const VectorRows& conditions, const VectorRows& others, FloatRows table) {
  constexpr int64_t kTile = 4;
  AlignedFloats transposed(others.columns * kOthers);
  for (int64_t begin = 0; begin < others.count; begin += kOthers) {
    const int64_t some = std::min(kOthers, others.count - begin);
    Transpose(others.data + begin * others.stride, some, others.columns, others.stride,
              transposed.data());
    int64_t i = 0;
    for (; i + kTile <= conditions.count; i += kTile) {
      PenaltyRows<kReplacesGeneral, kTile>(conditions, i, transposed.data(), some,
                                           table.from(i, begin));
    }
    for (; i < conditions.count; ++i) {
      PenaltyRows<kReplacesGeneral, 1>(conditions, i, transposed.data(), some,
                                       table.from(i, begin));
    }
  }
}

void FillTable(Replaced replaced, const VectorRows& conditions, const VectorRows& others,
               FloatRows table) {
  (replaced == Replaced::kGeneral ? Table<true> : Table<false>)(conditions, others, table);
}

}  // namespace acevec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace acevec {

ACEVEC_KERNEL(order_penalty, Penalty);
ACEVEC_KERNEL(add_penalty_gradient, AddPenaltyGradient);
ACEVEC_KERNEL(penalty_table, FillTable);

}  // namespace acevec
#endif  // HWY_ONCE
