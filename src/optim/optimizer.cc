#include "optim/optimizer.h"

#include "kernels/hogwild.h"

namespace acevec {

namespace {

// Replaces the gradients of `count` rows by changes, and updates moments in place.
void take_steps(const OptimizerSettings& settings, int64_t step, int64_t count, int64_t width,
                FloatRows moments, const float* parameters, float* gradients) {
  switch (settings.kind) {
    case OptimizerKind::kSgd:
      break;
    case OptimizerKind::kAdam:
      adam_rows(settings, step, count, width, moments, gradients);
      break;
    case OptimizerKind::kAdagrad:
      adagrad_rows(settings, count * width, moments.data, gradients);
      break;
  }
  // Directions are changes already.
  if (settings.ascend && settings.rate == 1 && settings.weight_decay == 0) return;
  take_rate(settings, parameters, count * width, gradients);
}

}  // namespace

Matrix Optimizer::moments_for(const OptimizerSettings& settings, int64_t rows, int64_t width) {
  const int64_t of_adam = (settings.beta1 > 0 ? 2 : 1) * width + 4;
  return Matrix(settings.kind == OptimizerKind::kSgd ? 0 : rows,
                settings.kind == OptimizerKind::kAdagrad ? width : of_adam);
}

Optimizer::Optimizer(const OptimizerSettings& settings, Matrix& moments, int64_t width,
                     int64_t most_rows)
    : settings_(settings),
      moments_(moments),
      width_(width),
      rows_(settings.kind == OptimizerKind::kSgd ? 0 : most_rows * moments.stride()) {}

void Optimizer::changes(const int32_t* ids, int64_t count, const float* parameters,
                        float* gradients) {
  const bool has_moments = settings_.kind != OptimizerKind::kSgd;
  if (has_moments) gather_rows_to_change(moments_, ids, count, rows_.data());
  take_steps(settings_, 1, count, width_, {rows_.data(), moments_.stride()}, parameters, gradients);
  if (has_moments) write_rows(moments_, ids, count, rows_.data());
}

void Optimizer::prefetch(const int32_t* ids, int64_t count) const {
  if (settings_.kind != OptimizerKind::kSgd) prefetch_rows(moments_, ids, count);
}

void take_row_step(const OptimizerSettings& settings, int64_t step, Matrix& moments, int64_t id,
                   int64_t width, const float* parameters, float* gradient) {
  float* const own = settings.kind == OptimizerKind::kSgd ? nullptr : moments.row(id);
  take_steps(settings, step, 1, width, {own, 0}, parameters, gradient);
}

}  // namespace acevec
