#include "kg/transd.h"

#include "kg/norms.h"

namespace acevec {

float TransD::shift(const float* entity) const {
  const int64_t width = padded(size());
  return sum_over(width, [=](int64_t k) { return entity[k] * entity[width + k]; });
}

float TransD::distance(const float* head, const float* relation, const float* tail) const {
  const int64_t width = padded(size());
  const float move = shift(head) - shift(tail);
  return norm_of(norm_, width, [=](int64_t k) {
    return head[k] + relation[k] - tail[k] + move * relation[width + k];
  });
}

void TransD::add_gradient(const float* head, const float* relation, const float* tail, float scale,
                          float* head_gradient, float* relation_gradient,
                          float* tail_gradient) const {
  const int64_t width = padded(size());
  const float move = shift(head) - shift(tail);
  float along = 0;  // ∂s/∂move: the slopes along r_p
  for_slopes(
      norm_, width,
      [=](int64_t k) { return head[k] + relation[k] - tail[k] + move * relation[width + k]; },
      [&](int64_t k, float slope) {
        along += slope * relation[width + k];
        head_gradient[k] += scale * slope;
        relation_gradient[k] += scale * slope;
        tail_gradient[k] -= scale * slope;
        relation_gradient[width + k] += scale * slope * move;
      });
  const float by_shift = scale * along;
  for (int64_t k = 0; k < width; ++k) {
    head_gradient[k] += by_shift * head[width + k];
    head_gradient[width + k] += by_shift * head[k];
    tail_gradient[k] -= by_shift * tail[width + k];
    tail_gradient[width + k] -= by_shift * tail[k];
  }
}

void TransD::ask(Side side, const float* kept, const float* relation, float* projected,
                 float* point) const {
  const float* const direction = relation + padded(size());
  const float move = shift(kept);
  const float step = side == Side::kTail ? 1 : -1;
  for (int64_t k = 0; k < size(); ++k) {
    projected[k] = kept[k] + move * direction[k];
    point[k] = projected[k] + step * relation[k];
  }
}

void TransD::distances(const float* point, const float* relation, const Columns& candidates,
                       int64_t first, int64_t count, float* out) const {
  (norm_ == Norm::kL1 ? l1_distances : l2_distances)(point, relation + padded(size()), candidates,
                                                     first, count, out);
}

}  // namespace acevec
