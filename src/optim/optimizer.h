// Converts gradients to changes of parameters: SGD, Adam (Kingma and Ba 2014), or Adagrad (Duchi,
// Hazan and Singer 2011).
//
// Parameters are a matrix of which each step touches some rows: a large table of embeddings, or a
// small dense layer whose rows are all touched. Adam is lazy: rows that a step does not touch are
// unchanged. `by_time` selects what that means for their moments.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/optimizer_steps.h"
#include "math/aligned.h"
#include "math/matrix.h"

namespace acevec {

// One object per thread; the moments are shared. Races on them are as described in
// kernels/hogwild.h: a row's moments are copied, and written back. If they were added back, two
// threads' changes of a row would not sum up correctly: two decays of v to 0 would make v negative.
class Optimizer {
 public:
  // Makes the moments of `rows` rows of `width` floats, padded: two, or one without momentum, and
  // their bias corrections; no rows for kSgd. Throws std::bad_alloc.
  static Matrix moments_for(const OptimizerSettings& settings, int64_t rows, int64_t width);

  // `moments`: from moments_for() for the same `width` and settings, which must not be by time. A
  // step touches at most `most_rows` rows.
  Optimizer(const OptimizerSettings& settings, Matrix& moments, int64_t width, int64_t most_rows);

  // Replaces `gradients`, of the rows ids[i], i < count, `width` floats each, by the changes to add
  // to them (see scatter_add()). `parameters`: the present rows, also without gaps; read only with
  // weight decay, else may be null. No id may repeat: see optim/step_rows.h.
  //
  //   change = ∓rate · direction − rate · weight_decay · parameter,
  //
  // with direction = gradient for kSgd, m̂ / (√v̂ + ε) for kAdam, gradient / (√Σ gradient² + ε) for
  // kAdagrad, and the sign + if settings.ascend. The decay is not part of Adam's gradient, since
  // the division by √v̂ would undo it (Loshchilov and Hutter 2019, "AdamW").
  void changes(const int32_t* ids, int64_t count, const float* parameters, float* gradients);

  // Prefetches the moments of rows for changes().
  void prefetch(const int32_t* ids, int64_t count) const;

  void set_rate(float rate) { settings_.rate = rate; }

 private:
  OptimizerSettings settings_;
  Matrix& moments_;
  int64_t width_;
  AlignedFloats rows_;  // copies of moments
};

// The same for the single row `id`, which no other thread may touch: replaces `gradient` by the
// row's change, and updates its moments. `step`: its number, from 1, for settings by time.
void take_row_step(const OptimizerSettings& settings, int64_t step, Matrix& moments, int64_t id,
                   int64_t width, const float* parameters, float* gradient);

enum class Role {
  kResult,   // embeddings, a run's result: kept in the best copy, and checked for divergence
  kLearned,  // other trained parameters, such as an adversary's generator
  kMemory,   // optimizer moments, and rows that can be recomputed
};

// A named matrix of trained parameters, for saving, checking, copying and exchanging.
struct Parameter {
  std::string name;  // name of the part in a checkpoint
  Matrix* matrix;
  Role role;
};

}  // namespace acevec
