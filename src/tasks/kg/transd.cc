#include "tasks/kg/transd.h"

#include "kernels/products.h"
#include "kernels/translation.h"

namespace acevec {

float TransD::shift(const float* entity) const {
  return row_product(entity, entity + padded(size()), padded(size()));
}

float TransD::distance(const float* head, const float* relation, const float* tail) const {
  const int64_t width = padded(size());
  return translation_length(
      norm_, {{head, relation, tail}, relation + width, shift(head) - shift(tail)}, width);
}

void TransD::add_gradient(const TripleRows& rows, float scale,
                          const TripleGradients& gradients) const {
  const int64_t width = padded(size());
  const auto& [head, relation, tail] = rows;
  const float by_shift =
      scale * add_translation_gradient(norm_, {rows, relation + width, shift(head) - shift(tail)},
                                       width, scale, gradients, gradients.relation + width);
  add_scaled(head + width, by_shift, width, gradients.head);
  add_scaled(head, by_shift, width, gradients.head + width);
  add_scaled(tail + width, -by_shift, width, gradients.tail);
  add_scaled(tail, -by_shift, width, gradients.tail + width);
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
