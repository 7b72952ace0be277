// The rows of a shared matrix that one step touches: copied once, changed by an optimizer, added
// back once.
#pragma once

#include <cstdint>
#include <functional>

#include "optim/optimizer.h"
#include "optim/places.h"

namespace acevec {

// One object per thread. A step: place() every id, gather(), add gradients to changes(), step().
class BatchRows {
 public:
  // `moments` belongs to `matrix` and the settings: see Optimizer. At most `most` different ids in
  // a step.
  BatchRows(Matrix& matrix, Matrix& moments, const OptimizerSettings& settings, int64_t most);

  // What one object needs for a matrix of `rows` rows of `width` floats, in bytes.
  static int64_t bytes(int64_t rows, int64_t width, const OptimizerSettings& settings,
                       int64_t most);

  // Where row `id` is in values() and changes(), the same until add().
  int64_t place(int32_t id) { return places_.place(id) * width(); }

  // Copies the rows that have a place to values(), and sets changes() to 0.
  void gather();

  // What bounds the changes of some rows, one behind the other, before they are added.
  using Bound = std::function<void(const float* values, float* changes, int64_t rows)>;

  // Turns the gradients in changes() into what step `number`, from 1 over all threads, adds, lets
  // `bound` (none: null) bound it, adds it to the matrix, and forgets all places.
  void step(int64_t number, float rate, const Bound& bound = nullptr);

  // Adds changes() to the matrix as they are, and forgets all places.
  void add();

  // Forgets all places, for who only looks.
  void clear() { places_.clear(); }

  // count() rows of width() floats, the matrix's columns and padding.
  int64_t count() const { return places_.count(); }
  int32_t id(int64_t row) const { return places_.ids()[row]; }
  int64_t width() const { return matrix_.stride(); }
  const float* values() const { return values_.data(); }
  float* changes() { return changes_.data(); }

 private:
  Matrix& matrix_;
  Optimizer optimizer_;
  Places places_;
  AlignedFloats values_, changes_;
};

}  // namespace acevec
