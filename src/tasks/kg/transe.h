// TransE (Bordes et al. 2013): s = ‖h + r − t‖, a relation is a step from head to tail.
#pragma once

#include "tasks/kg/score.h"

namespace acevec {

class TransE : public Score {
 public:
  TransE(int64_t size, Norm norm) : Score(size), norm_(norm) {}

  float distance(const float* head, const float* relation, const float* tail) const override;
  void add_gradient(const TripleRows& rows, float scale,
                    const TripleGradients& gradients) const override;
  void ask(Side side, const float* kept, const float* relation, float* projected,
           float* point) const override;
  void distances(const float* point, const float* relation, const Columns& candidates,
                 int64_t first, int64_t count, float* out) const override;

 private:
  Norm norm_;
};

}  // namespace acevec
