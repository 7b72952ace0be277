#include "optim/row_steps.h"

#include <algorithm>

#include "math/hogwild.h"

// As in math/kernels.cc.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optim/row_steps.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace acevec::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, kRowPadding>;
constexpr Floats kFloats;
constexpr int64_t kLanes = static_cast<int64_t>(hn::MaxLanes(kFloats));

HWY_INLINE void CopyRow(const float* from, int64_t width, float* to) {
  for (int64_t k = 0; k < width; k += kLanes) {
    hn::Store(hn::Load(kFloats, from + k), kFloats, to + k);
  }
}

HWY_INLINE void AddRow(const float* row, int64_t width, float* sum) {
  for (int64_t k = 0; k < width; k += kLanes) {
    hn::Store(hn::Add(hn::Load(kFloats, sum + k), hn::Load(kFloats, row + k)), kFloats, sum + k);
  }
}

// Adds up the gradients of each row, and leaves them at the row's place. `ids` is overwritten.
void MergeRows(int32_t* ids, int64_t count, int64_t width, float* gradients, float* values,
               Places& places) {
  for (int64_t i = 0; i < count;) {
    const int64_t place = places.place(ids[i]);
    if (place == i) {  // its first time; no place before i is free
      ++i;
      continue;
    }
    AddRow(gradients + i * width, width, gradients + place * width);
    // The last takes the place that is free now.
    --count;
    ids[i] = ids[count];
    CopyRow(gradients + count * width, width, gradients + i * width);
    if (values != nullptr) CopyRow(values + count * width, width, values + i * width);
  }
}

}  // namespace acevec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace acevec {

HWY_EXPORT(MergeRows);

RowSteps::RowSteps(Matrix& matrix, Matrix& moments, const OptimizerSettings& settings, int64_t most,
                   float max_step)
    : matrix_(matrix),
      optimizer_(settings, moments, matrix.stride(), most),
      max_step_(max_step),
      places_(most) {}

int64_t RowSteps::bytes(int64_t width, const OptimizerSettings& settings, int64_t most) {
  return Optimizer::moment_bytes(settings, most, width) + Places::bytes(most) +
         most * static_cast<int64_t>(sizeof(int32_t));
}

void RowSteps::take(const int32_t* ids, int64_t count, float* gradients, float* values) {
  ids_.assign(ids, ids + count);
  places_.clear();
  HWY_DYNAMIC_DISPATCH(MergeRows)
  (ids_.data(), count, matrix_.stride(), gradients, values, places_);
  optimizer_.changes(places_.ids(), places_.count(), values, gradients);
  add_rows(matrix_, places_.ids(), places_.count(), gradients, max_step_);
}

}  // namespace acevec
#endif  // HWY_ONCE
