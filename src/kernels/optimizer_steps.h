// The arithmetic of optim/optimizer.h on copies of rows and their moments: plain steps, Adam,
// Adagrad. tests/optim/optimizer_test.cc checks them.
#pragma once

#include <cstdint>

#include "kernels/products.h"

namespace acevec {

enum class OptimizerKind { kSgd, kAdam, kAdagrad };

struct OptimizerSettings {
  OptimizerKind kind = OptimizerKind::kAdam;
  float rate = 1e-3F;
  float weight_decay = 0;  // a touched row shrinks by this share times the rate
  bool ascend = false;     // the gradients are of something to maximise
  // Adam's own, with its authors' defaults; epsilon is Adagrad's too.
  float beta1 = 0.9F;
  float beta2 = 0.999F;
  float epsilon = 1e-8F;  // above 0
  // false: a row's moments decay, and its steps count, only when it is touched, so that a rare row
  // takes steps as long as a frequent one's. true: they decay by the number of the step, as when
  // Adam touches all rows at every step, where a rare row makes up for its idle steps by longer
  // ones. Of Adam's momentum, which would go on moving a row between its touches, there is then
  // only what the touches see: beta1 = 0 loses least.
  bool by_time = false;
};

// directions -> changes, in place: ∓rate · direction − rate · weight_decay · parameter.
// `parameters` is only read when there is weight decay. `size`: floats, a multiple of kRowPadding.
extern void (*const take_rate)(const OptimizerSettings& settings, const float* parameters,
                               int64_t size, float* directions);

// gradients -> Adam's directions m̂ / (√v̂ + ε), moments -> what they are after the step, both in
// place: `count` rows of `width` floats. `step`: the number of this step from 1, for settings that
// go by time.
extern void (*const adam_rows)(const OptimizerSettings& settings, int64_t step, int64_t count,
                               int64_t width, FloatRows moments, float* gradients);

// gradients -> Adagrad's directions, sums of squares -> with this step's, both in place; `count`
// floats.
extern void (*const adagrad_rows)(const OptimizerSettings& settings, int64_t count, float* squares,
                                  float* gradients);

}  // namespace acevec
