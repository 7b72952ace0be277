// RotatE (Sun et al. 2019): s = Σ |h r − t|, of complex numbers; a relation turns each of them by
// an angle of its own. `size` counts real numbers and is even.
//
// A relation's row has numbers of any modulus but 0, of which only the directions count: no sine is
// taken in training, and rows are optimized and written as all others.
#pragma once

#include "tasks/kg/score.h"

namespace acevec {

class RotatE : public Score {
 public:
  RotatE(int64_t size, Norm norm) : Score(size), norm_(norm) {}

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
