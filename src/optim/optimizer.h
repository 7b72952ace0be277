// From gradients to changes of parameters: plain gradient steps, Adam (Kingma and Ba 2014), or
// Adagrad (Duchi, Hazan and Singer 2011).
//
// Parameters are a matrix of which each step touches some rows: a large table of embeddings, or a
// small dense layer whose rows are all touched. Adam is lazy: it does nothing to rows that a step
// does not touch. What that makes of their moments is a choice: see `by_time`.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/optimizer_steps.h"
#include "math/aligned.h"
#include "math/matrix.h"

namespace acevec {

// One object per thread; the moments are shared. The races on them are those of kernels/hogwild.h:
// a row's moments are copied, and written back. Added back, what two threads make of one row would
// not sum up: "v decays to nothing", twice, is a v below 0.
class Optimizer {
 public:
  // Makes the moments of `rows` rows of `width` floats, a multiple of kRowPadding: two moments,
  // one without momentum, and their bias corrections. No rows for kSgd, which remembers nothing.
  // Throws std::bad_alloc.
  static Matrix moments_for(const OptimizerSettings& settings, int64_t rows, int64_t width);
  static int64_t moment_bytes(const OptimizerSettings& settings, int64_t rows, int64_t width);

  // `moments` is what moments_for() made, for the same settings, not by time, and `width`; no step
  // will touch more than `most_rows` rows.
  Optimizer(const OptimizerSettings& settings, Matrix& moments, int64_t width, int64_t most_rows);

  // gradients: of the rows ids[i], i < count, `width` floats each, become the changes to add to
  // them (see scatter_add()). `parameters`: the rows as they are, also without gaps; only read when
  // there is weight decay, and may be null without. No id may come twice: see optim/step_rows.h.
  //
  //   change = ∓rate · direction − rate · weight_decay · parameter,
  //
  // with direction = gradient for kSgd, m̂ / (√v̂ + ε) for kAdam, gradient / (√Σ gradient² + ε) for
  // kAdagrad, and plus if settings.ascend. The decay is not part of Adam's gradient, where the
  // division by √v̂ would undo it (Loshchilov and Hutter 2019, "AdamW").
  void changes(const int32_t* ids, int64_t count, const float* parameters, float* gradients);

  // Asks the caches for the moments of rows that changes() will touch soon.
  void prefetch(const int32_t* ids, int64_t count) const;

  void set_rate(float rate) { settings_.rate = rate; }

 private:
  OptimizerSettings settings_;
  Matrix& moments_;
  int64_t width_;
  AlignedFloats rows_;  // the thread's copies of moments
};

// The same for row `id` alone, which no other thread touches: `gradient` becomes its change, and
// its moments what they are after the step. `step`: its number
// from 1, for settings that go by time.
void take_row_step(const OptimizerSettings& settings, int64_t step, Matrix& moments, int64_t id,
                   int64_t width, const float* parameters, float* gradient);

enum class Role {
  kResult,   // embeddings, the result of a run; it has the best copy and the check for divergence
  kLearned,  // learned beside them, such as an adversary's generator
  kMemory,   // an optimizer's moments, and rows that can be computed again
};

// A named matrix of trained parameters, for saving, checking, copying and exchanging.
struct Parameter {
  std::string name;  // of its part in a checkpoint
  Matrix* matrix;
  Role role;
};

}  // namespace acevec
