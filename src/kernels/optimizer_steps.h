// The arithmetic of optim/optimizer.h on copies of rows and their moments: SGD, Adam, Adagrad.
#pragma once

#include <cstdint>

#include "kernels/products.h"

namespace acevec {

enum class OptimizerKind { kSgd, kAdam, kAdagrad };

struct OptimizerSettings {
  OptimizerKind kind = OptimizerKind::kAdam;
  float rate = 1e-3F;
  float weight_decay = 0;  // a touched row shrinks by this share times the rate
  bool ascend = false;     // gradients are of an objective to maximise
  float beta1 = 0.9F;      // Adam's, with its authors' defaults; Adagrad uses epsilon too
  float beta2 = 0.999F;
  float epsilon = 1e-8F;  // above 0
  // false: a row's moments decay, and its steps count, only when it is touched, so that a rare
  // row's steps are as long as a frequent one's. true: moments decay with the run's steps, as if
  // Adam touched all rows at every step, so that a rare row's steps are longer, to make up for its
  // idle ones. Adam's momentum, which would also move a row between touches, then acts only at
  // touches: beta1 = 0 loses least.
  bool by_time = false;
};

// Replaces directions by changes: ∓rate · direction − rate · weight_decay · parameter. `parameters`
// is read only with weight decay. `size`: floats, a multiple of kRowPadding.
extern void (*const take_rate)(const OptimizerSettings& settings, const float* parameters,
                               int64_t size, float* directions);

// Replaces gradients by Adam's directions m̂ / (√v̂ + ε), and updates the moments: `count` rows of
// `width` floats. `step`: the number of this step from 1, for settings by time.
extern void (*const adam_rows)(const OptimizerSettings& settings, int64_t step, int64_t count,
                               int64_t width, FloatRows moments, float* gradients);

// Replaces gradients by Adagrad's directions, and updates the sums of squares; `count` floats.
extern void (*const adagrad_rows)(const OptimizerSettings& settings, int64_t count, float* squares,
                                  float* gradients);

}  // namespace acevec
