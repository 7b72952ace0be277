#include "optim/batch_rows.h"

#include <algorithm>
#include <limits>

#include "math/hogwild.h"

namespace acevec {

BatchRows::BatchRows(Matrix& matrix, Matrix& moments, const OptimizerSettings& settings,
                     int64_t most)
    : matrix_(matrix),
      optimizer_(settings, moments, matrix.stride(), std::min(most, matrix.rows())),
      places_(std::min(most, matrix.rows())),
      values_(std::min(most, matrix.rows()) * matrix.stride()),
      changes_(std::min(most, matrix.rows()) * matrix.stride()) {}

int64_t BatchRows::bytes(int64_t rows, int64_t width, const OptimizerSettings& settings,
                         int64_t most) {
  const int64_t some = std::min(most, rows);
  return Places::bytes(some) + 2 * some * width * static_cast<int64_t>(sizeof(float)) +
         Optimizer::moment_bytes(settings, some, width);
}

void BatchRows::gather() {
  gather_rows(matrix_, places_.ids(), count(), values_.data());
  std::fill_n(changes_.data(), count() * width(), 0.0F);
}

void BatchRows::optimize(int64_t number, float rate) {
  optimizer_.set_step(number);
  optimizer_.set_rate(rate);
  optimizer_.changes(places_.ids(), count(), values_.data(), changes_.data());
}

void BatchRows::add() {
  add_rows(matrix_, places_.ids(), count(), changes_.data(),
           std::numeric_limits<float>::infinity());
  places_.clear();
}

}  // namespace acevec
