#include "optim/row_steps.h"

#include <algorithm>

#include "kernels/hogwild.h"
#include "kernels/products.h"

namespace acevec {
namespace {

// Adds up the gradients of each row, and leaves them at the row's place. `ids` is overwritten.
void merge_rows(int32_t* ids, int64_t count, int64_t width, float* gradients, float* values,
                Places& places) {
  for (int64_t i = 0; i < count;) {
    const int64_t place = places.place(ids[i]);
    if (place == i) {  // its first time; no place before i is free
      ++i;
      continue;
    }
    add_scaled(gradients + i * width, 1, width, gradients + place * width);
    // The last takes the place that is free now.
    --count;
    ids[i] = ids[count];
    std::copy_n(gradients + count * width, width, gradients + i * width);
    if (values != nullptr) std::copy_n(values + count * width, width, values + i * width);
  }
}

}  // namespace

RowSteps::RowSteps(Matrix& matrix, Matrix& moments, const OptimizerSettings& settings, int64_t most,
                   float max_step)
    : matrix_(matrix),
      optimizer_(settings, moments, matrix.stride(), most),
      max_step_(max_step),
      places_(most) {}

void RowSteps::take(const int32_t* ids, int64_t count, float* gradients, float* values) {
  ids_.assign(ids, ids + count);
  places_.clear();
  merge_rows(ids_.data(), count, matrix_.stride(), gradients, values, places_);
  optimizer_.changes(places_.ids(), places_.count(), values, gradients);
  scatter_add(matrix_, places_.ids(), places_.count(), gradients, max_step_);
}

}  // namespace acevec
