#include "optim/batch_rows.h"

#include <algorithm>
#include <limits>

#include "kernels/hogwild.h"

namespace acevec {
namespace {

// Rows that a step takes from the gradient to the matrix together, while the first cache has them.
constexpr int64_t kChunk = 16;

}  // namespace

BatchRows::BatchRows(Matrix& matrix, Matrix& moments, const OptimizerSettings& settings,
                     int64_t most)
    : matrix_(matrix),
      optimizer_(settings, moments, matrix.stride(), kChunk),
      places_(std::min(most, matrix.rows())),
      values_(std::min(most, matrix.rows()) * matrix.stride()),
      changes_(std::min(most, matrix.rows()) * matrix.stride()) {}

int64_t BatchRows::bytes(int64_t rows, int64_t width, const OptimizerSettings& settings,
                         int64_t most) {
  const int64_t some = std::min(most, rows);
  return Places::bytes(some) + 2 * some * width * kFloatSize +
         Optimizer::moment_bytes(settings, kChunk, width);
}

void BatchRows::gather() {
  gather_rows(matrix_, places_.ids(), count(), values_.data());
  std::fill_n(changes_.data(), count() * width(), 0.0F);
}

void BatchRows::step(int64_t number, float rate, const Bound& bound) {
  optimizer_.set_step(number);
  optimizer_.set_rate(rate);
  const int32_t* const ids = places_.ids();
  for (int64_t begin = 0; begin < count(); begin += kChunk) {
    const int64_t end = std::min(begin + kChunk, count());
    const int64_t ahead = std::min(end + kChunk, count()) - end;
    optimizer_.prefetch(ids + end, ahead);
    prefetch_rows(matrix_, ids + end, ahead);
    const float* const values = values_.data() + begin * width();
    float* const changes = changes_.data() + begin * width();
    optimizer_.changes(ids + begin, end - begin, values, changes);
    if (bound) bound(values, changes, end - begin);
    scatter_add(matrix_, ids + begin, end - begin, changes, std::numeric_limits<float>::infinity());
  }
  places_.clear();
}

void BatchRows::add() {
  scatter_add(matrix_, places_.ids(), count(), changes_.data(),
              std::numeric_limits<float>::infinity());
  places_.clear();
}

}  // namespace acevec
