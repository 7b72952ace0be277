#include "tasks/kg/transe.h"

#include "kernels/translation.h"

namespace acevec {

float TransE::distance(const float* head, const float* relation, const float* tail) const {
  return translation_length(norm_, {{head, relation, tail}, nullptr, 0}, padded(size()));
}

void TransE::add_gradient(const TripleRows& rows, float scale,
                          const TripleGradients& gradients) const {
  add_translation_gradient(norm_, {rows, nullptr, 0}, padded(size()), scale, gradients, nullptr);
}

void TransE::ask(Side side, const float* kept, const float* relation, float* projected,
                 float* point) const {
  const float direction = side == Side::kTail ? 1 : -1;
  for (int64_t k = 0; k < size(); ++k) {
    projected[k] = kept[k];
    point[k] = kept[k] + direction * relation[k];
  }
}

void TransE::distances(const float* point, const float* /*relation*/, const Columns& candidates,
                       int64_t first, int64_t count, float* out) const {
  (norm_ == Norm::kL1 ? l1_distances : l2_distances)(point, nullptr, candidates, first, count, out);
}

}  // namespace acevec
