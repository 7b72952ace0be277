#include "kernels/order_penalty.h"

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

template <bool kReplacesGeneral>
void Table(RowsOf<float> conditions, RowsOf<float> others, int64_t columns, FloatRows table) {
  constexpr int64_t kOthers = 4 * kRowPadding;  // others that are stored by coordinate at once
  AlignedFloats by_column(columns * kOthers), penalties(kOthers);
  for (int64_t begin = 0; begin < others.count; begin += kOthers) {
    const int64_t some = std::min(kOthers, others.count - begin);
    for (int64_t j = 0; j < some; ++j) {
      const float* const other = others.data + (begin + j) * others.stride;
      for (int64_t k = 0; k < columns; ++k) by_column.data()[k * kOthers + j] = other[k];
    }
    for (int64_t i = 0; i < conditions.count; ++i) {
      const float* const condition = conditions.data + i * conditions.stride;
      SumTerms(
          by_column.data(), kOthers, columns, some,
          [condition](Vector sum, Vector other, int64_t k, int64_t) HWY_ATTR {
            const Vector kept = hn::Set(kFloats, condition[k]);
            const Vector over = kReplacesGeneral ? Excess(kept, other) : Excess(other, kept);
            return hn::MulAdd(over, over, sum);
          },
          penalties.data());
      std::copy_n(penalties.data(), some, table.from(i, begin).data);
    }
  }
}

void FillTable(Replaced replaced, RowsOf<float> conditions, RowsOf<float> others, int64_t columns,
               FloatRows table) {
  (replaced == Replaced::kGeneral ? Table<true> : Table<false>)(conditions, others, columns, table);
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
