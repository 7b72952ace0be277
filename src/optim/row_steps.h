// One step on each row of a shared matrix that a block touches, however often the row occurs there.
#pragma once

#include <cstdint>
#include <vector>

#include "optim/optimizer.h"
#include "optim/places.h"

namespace acevec {

// A frequent word's row may occur in a block many times. All its gradients are taken from one stale
// copy: as steps one by one, of which none knows of the others, they would overshoot, and Adam's
// moments too. As one step of their sum they are bounded by `max_step`.
//
// One object per thread.
class RowSteps {
 public:
  // `moments` belongs to `matrix` and the settings: see Optimizer. At most `most` rows in a block,
  // counted as often as they occur, and no step longer than `max_step`.
  RowSteps(Matrix& matrix, Matrix& moments, const OptimizerSettings& settings, int64_t most,
           float max_step);

  // What one object needs for rows of `width` floats, with padding, in bytes.
  static int64_t bytes(int64_t width, const OptimizerSettings& settings, int64_t most);

  // Takes the step of the rows ids[i], i < count. `gradients`: of each occurrence, as wide as the
  // matrix's rows with their padding; overwritten. `values`: the copies of the rows that weight
  // decay needs, which are put into another order; null without.
  void take(const int32_t* ids, int64_t count, float* gradients, float* values = nullptr);

  // Asks the caches for the moments of rows whose step is soon.
  void prefetch(const int32_t* ids, int64_t count) const { optimizer_.prefetch(ids, count); }

  void set_rate(float rate) { optimizer_.set_rate(rate); }

 private:
  Matrix& matrix_;
  Optimizer optimizer_;
  float max_step_;
  std::vector<int32_t> ids_;
  Places places_;
};

}  // namespace acevec
