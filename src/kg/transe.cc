#include "kg/transe.h"

#include <algorithm>

#include "kg/norms.h"

namespace acevec {

float TransE::distance(const float* head, const float* relation, const float* tail) const {
  return norm_of(norm_, padded(size()), [=](int64_t k) { return head[k] + relation[k] - tail[k]; });
}

void TransE::add_gradient(const float* head, const float* relation, const float* tail, float scale,
                          float* head_gradient, float* relation_gradient,
                          float* tail_gradient) const {
  for_slopes(
      norm_, padded(size()), [=](int64_t k) { return head[k] + relation[k] - tail[k]; },
      [=](int64_t k, float slope) {
        head_gradient[k] += scale * slope;
        relation_gradient[k] += scale * slope;
        tail_gradient[k] -= scale * slope;
      });
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
