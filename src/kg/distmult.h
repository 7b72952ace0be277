// DistMult (Yang et al. 2015): s = −Σ_k h_k r_k t_k, symmetric in head and tail.
#pragma once

#include "kg/score.h"

namespace acevec {

class DistMult : public Score {
 public:
  explicit DistMult(int64_t size) : Score(size) {}

  float distance(const float* head, const float* relation, const float* tail) const override;
  void add_gradient(const float* head, const float* relation, const float* tail, float scale,
                    float* head_gradient, float* relation_gradient,
                    float* tail_gradient) const override;
  void ask(Side side, const float* kept, const float* relation, float* projected,
           float* point) const override;
  void distances(const float* point, const float* relation, const Columns& candidates,
                 int64_t first, int64_t count, float* out) const override;
};

}  // namespace acevec
