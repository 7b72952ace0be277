// ComplEx (Trouillon et al. 2016): s = −Re Σ h r t̄, of complex numbers, so that a relation need not
// be symmetric as DistMult's are. `size` counts real numbers and is even.
#pragma once

#include "tasks/kg/product_score.h"

namespace acevec {

class ComplEx : public ProductScore {
 public:
  using ProductScore::ProductScore;

  float distance(const float* head, const float* relation, const float* tail) const override;
  void add_gradient(const TripleRows& rows, float scale,
                    const TripleGradients& gradients) const override;
  void ask(Side side, const float* kept, const float* relation, float* projected,
           float* point) const override;
  void add_point_gradient(Side side, const float* kept, const float* relation,
                          const float* point_gradient, float* kept_gradient,
                          float* relation_gradient) const override;
  float add_cubes(const float* vector, float scale, float* gradient) const override;
};

}  // namespace acevec
