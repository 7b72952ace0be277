// TransD (Ji et al. 2015; Eq. 13 of ace-2018): s = ‖h⊥ + r − t⊥‖ with h⊥ = h + r_p (h_pᵀ h), and
// likewise t⊥: before the step every relation moves an entity along a direction of its own, by as
// much as the entity says.
#pragma once

#include "tasks/kg/score.h"

namespace acevec {

// Rows: the vector, then (from padded(size())) what makes the projection: h_p, r_p.
class TransD : public Score {
 public:
  TransD(int64_t size, Norm norm) : Score(size), norm_(norm) {}

  int64_t entity_width() const override { return 2 * padded(size()); }
  int64_t relation_width() const override { return 2 * padded(size()); }

  float distance(const float* head, const float* relation, const float* tail) const override;
  void add_gradient(const TripleRows& rows, float scale,
                    const TripleGradients& gradients) const override;
  void ask(Side side, const float* kept, const float* relation, float* projected,
           float* point) const override;
  float shift(const float* entity) const override;  // h_pᵀ h
  void distances(const float* point, const float* relation, const Columns& candidates,
                 int64_t first, int64_t count, float* out) const override;

 private:
  Norm norm_;
};

}  // namespace acevec
