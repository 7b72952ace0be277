#include "kg/distmult.h"

#include "kg/norms.h"

namespace acevec {

float DistMult::distance(const float* head, const float* relation, const float* tail) const {
  return -sum_over(padded(size()), [=](int64_t k) { return head[k] * relation[k] * tail[k]; });
}

void DistMult::add_gradient(const float* head, const float* relation, const float* tail,
                            float scale, float* head_gradient, float* relation_gradient,
                            float* tail_gradient) const {
  for (int64_t k = 0; k < padded(size()); ++k) {
    head_gradient[k] -= scale * relation[k] * tail[k];
    relation_gradient[k] -= scale * head[k] * tail[k];
    tail_gradient[k] -= scale * head[k] * relation[k];
  }
}

void DistMult::ask(Side /*side*/, const float* kept, const float* relation, float* projected,
                   float* point) const {
  for (int64_t k = 0; k < size(); ++k) {
    projected[k] = kept[k];
    point[k] = kept[k] * relation[k];
  }
}

void DistMult::distances(const float* point, const float* /*relation*/, const Columns& candidates,
                         int64_t first, int64_t count, float* out) const {
  negative_products(point, candidates, first, count, out);
}

}  // namespace acevec
