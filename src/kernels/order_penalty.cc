#include "kernels/order_penalty.h"

#include <algorithm>

#include "math/aligned.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/order_penalty.cc"
#include "kernels/every_instruction_set.h"
// Must come after it.
#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace acevec::HWY_NAMESPACE {

float Penalty(const float* x, const float* y, int64_t width) {
  Vector sum = hn::Zero(kFloats);
  for (int64_t k = 0; k < width; k += kLanes) {
    const Vector over =
        hn::Max(hn::Zero(kFloats), hn::Sub(hn::LoadU(kFloats, y + k), hn::LoadU(kFloats, x + k)));
    sum = hn::MulAdd(over, over, sum);
  }
  return hn::GetLane(hn::SumOfLanes(kFloats, sum));
}

void AddPenaltyGradient(const float* x, const float* y, int64_t width, float scale,
                        float* x_gradient, float* y_gradient) {
  const Vector twice = hn::Set(kFloats, 2 * scale);
  for (int64_t k = 0; k < width; k += kLanes) {
    const Vector over =
        hn::Max(hn::Zero(kFloats), hn::Sub(hn::LoadU(kFloats, y + k), hn::LoadU(kFloats, x + k)));
    const Vector change = hn::Mul(twice, over);
    hn::StoreU(hn::Sub(hn::LoadU(kFloats, x_gradient + k), change), kFloats, x_gradient + k);
    hn::StoreU(hn::Add(hn::LoadU(kFloats, y_gradient + k), change), kFloats, y_gradient + k);
  }
}

// Others that are worked on together, one a lane: so no sum runs across lanes.
constexpr int64_t kOthers = kRowPadding;

// Coordinate k of `some` others side by side at turned + k · kOthers.
void Turn(const float* others, int64_t some, int64_t columns, int64_t stride, float* turned) {
  for (int64_t j = 0; j < some; ++j) {
    for (int64_t k = 0; k < columns; ++k) turned[k * kOthers + j] = others[j * stride + k];
  }
}

// kRows rows of the table for the others that were turned, `some` of them. Several at a time, since
// one sum alone would wait for itself.
template <bool kReplacesGeneral, int64_t kRows>
HWY_INLINE void PenaltyRows(const float* conditions, int64_t stride, const float* turned,
                            int64_t columns, int64_t some, float* table, int64_t table_stride) {
  const Vector zero = hn::Zero(kFloats);
  for (int64_t lane = 0; lane < some; lane += kLanes) {
    Vector sums[kRows];
    for (Vector& sum : sums) sum = zero;
    for (int64_t k = 0; k < columns; ++k) {
      const Vector other = hn::Load(kFloats, turned + k * kOthers + lane);
      for (int64_t i = 0; i < kRows; ++i) {
        const Vector kept = hn::Set(kFloats, conditions[i * stride + k]);
        const Vector over =
            hn::Max(zero, kReplacesGeneral ? hn::Sub(other, kept) : hn::Sub(kept, other));
        sums[i] = hn::MulAdd(over, over, sums[i]);
      }
    }
    for (int64_t i = 0; i < kRows; ++i) {
      HWY_ALIGN float penalties[kLanes];
      hn::Store(sums[i], kFloats, penalties);
      std::copy_n(penalties, std::min(kLanes, some - lane), table + i * table_stride + lane);
    }
  }
}

template <bool kReplacesGeneral>
void Table(const float* conditions, int64_t rows, const float* others, int64_t count,
           int64_t columns, int64_t stride, float* table, int64_t table_stride) {
  constexpr int64_t kTile = 4;
  AlignedFloats turned(columns * kOthers);
  for (int64_t begin = 0; begin < count; begin += kOthers) {
    const int64_t some = std::min(kOthers, count - begin);
    Turn(others + begin * stride, some, columns, stride, turned.data());
    int64_t i = 0;
    for (; i + kTile <= rows; i += kTile) {
      PenaltyRows<kReplacesGeneral, kTile>(conditions + i * stride, stride, turned.data(), columns,
                                           some, table + i * table_stride + begin, table_stride);
    }
    for (; i < rows; ++i) {
      PenaltyRows<kReplacesGeneral, 1>(conditions + i * stride, stride, turned.data(), columns,
                                       some, table + i * table_stride + begin, table_stride);
    }
  }
}

void PenaltyTable(Replaced replaced, const float* conditions, int64_t rows, const float* others,
                  int64_t count, int64_t columns, int64_t stride, float* table,
                  int64_t table_stride) {
  const auto fill = replaced == Replaced::kGeneral ? Table<true> : Table<false>;
  fill(conditions, rows, others, count, columns, stride, table, table_stride);
}

}  // namespace acevec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace acevec {

HWY_EXPORT(Penalty);
HWY_EXPORT(AddPenaltyGradient);
HWY_EXPORT(PenaltyTable);

float order_penalty(const float* x, const float* y, int64_t width) {
  return HWY_DYNAMIC_DISPATCH(Penalty)(x, y, width);
}

void add_penalty_gradient(const float* x, const float* y, int64_t width, float scale,
                          float* x_gradient, float* y_gradient) {
  HWY_DYNAMIC_DISPATCH(AddPenaltyGradient)(x, y, width, scale, x_gradient, y_gradient);
}

void penalty_table(Replaced replaced, const float* conditions, int64_t rows, const float* others,
                   int64_t count, int64_t columns, int64_t stride, float* table,
                   int64_t table_stride) {
  HWY_DYNAMIC_DISPATCH(PenaltyTable)
  (replaced, conditions, rows, others, count, columns, stride, table, table_stride);
}

}  // namespace acevec
#endif  // HWY_ONCE
