// Scores that are products of a point, which the kept entity and the relation make, with the entity
// that is asked for: all entities at once are then a matrix product, and so are the gradients.
#pragma once

#include "tasks/kg/score.h"

namespace acevec {

class ProductScore : public Score {
 public:
  using Score::Score;

  bool is_product() const override { return true; }
  void distances(const float* point, const float* /*relation*/, const Columns& candidates,
                 int64_t first, int64_t count, float* out) const override {
    negative_products(point, candidates, first, count, out);
  }

  // From the gradient of the point that ask() makes, padded(size()) floats, to those of what it is
  // made of, to which they are added; either may be null.
  virtual void add_point_gradient(Side side, const float* kept, const float* relation,
                                  const float* point_gradient, float* kept_gradient,
                                  float* relation_gradient) const = 0;

  // Σ |x|³ over a vector's numbers, the N3 penalty (Lacroix et al. 2018); adds scale · its slope to
  // `gradient`.
  virtual float add_cubes(const float* vector, float scale, float* gradient) const = 0;
};

}  // namespace acevec
