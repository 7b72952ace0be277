#include "optim/row_steps.h"

#include <algorithm>

#include "math/hogwild.h"

namespace acevec {

RowSteps::RowSteps(Matrix& matrix, Matrix& moments, const OptimizerSettings& settings, int64_t most,
                   float max_step)
    : matrix_(matrix),
      optimizer_(settings, moments, matrix.stride(), most),
      max_step_(max_step),
      places_(most) {}

void RowSteps::take(const int32_t* ids, int64_t count, float* gradients, float* values) {
  merge(ids, count, gradients, values);
  const int32_t* const rows = places_.ids().data();
  optimizer_.changes(rows, places_.count(), values, gradients);
  add_rows(matrix_, rows, places_.count(), gradients, max_step_);
}

// Adds up the gradients of each row, and leaves them at the row's place.
void RowSteps::merge(const int32_t* ids, int64_t count, float* gradients, float* values) {
  const int64_t width = matrix_.stride();
  ids_.assign(ids, ids + count);
  places_.clear();
  int64_t left = count;
  for (int64_t i = 0; i < left;) {
    const int64_t place = places_.place(ids_[static_cast<size_t>(i)]);
    if (place == i) {  // its first time; no place before i is free
      ++i;
      continue;
    }
    float* const row = gradients + i * width;
    float* const sum = gradients + place * width;
    for (int64_t k = 0; k < width; ++k) sum[k] += row[k];
    // The last takes the place that is free now.
    --left;
    ids_[static_cast<size_t>(i)] = ids_[static_cast<size_t>(left)];
    std::copy_n(gradients + left * width, width, row);
    if (values != nullptr) std::copy_n(values + left * width, width, values + i * width);
  }
}

}  // namespace acevec
