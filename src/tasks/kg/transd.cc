// TransD (Ji et al. 2015; Eq. 13 of ace-2018): s = Σ |h⊥ + r − t⊥| with h⊥ = h + r_p (h_pᵀ h), and
// likewise t⊥: before the step every relation moves an entity along a direction of its own, by as
// much as the entity says.
#include "kernels/products.h"
#include "kernels/translation.h"
#include "tasks/kg/scores.h"

namespace acevec {
namespace {

// Rows: the vector, then (from padded(size())) what makes the projection: h_p, r_p.
class TransD final : public Score {
 public:
  using Score::Score;

  int64_t entity_width() const override { return 2 * padded(size()); }
  int64_t relation_width() const override { return 2 * padded(size()); }

  float shift(const float* entity) const override {
    return row_product(entity, entity + padded(size()), padded(size()));
  }

  float distance(const float* head, const float* relation, const float* tail) const override {
    const int64_t width = padded(size());
    return translation_length({{head, relation, tail}, relation + width, shift(head) - shift(tail)},
                              width);
  }

  void add_gradient(const TripleRows& rows, float scale,
                    const TripleGradients& gradients) const override {
    const int64_t width = padded(size());
    const auto& [head, relation, tail] = rows;
    const float by_shift =
        scale * add_translation_gradient({rows, relation + width, shift(head) - shift(tail)}, width,
                                         scale, gradients, gradients.relation + width);
    add_scaled(head + width, by_shift, width, gradients.head);
    add_scaled(head, by_shift, width, gradients.head + width);
    add_scaled(tail + width, -by_shift, width, gradients.tail);
    add_scaled(tail, -by_shift, width, gradients.tail + width);
  }

  void ask(Side side, const float* kept, const float* relation, float* projected,
           float* point) const override {
    const float* const direction = relation + padded(size());
    const float move = shift(kept);
    const float step = side == Side::kTail ? 1 : -1;
    for (int64_t k = 0; k < size(); ++k) {
      projected[k] = kept[k] + move * direction[k];
      point[k] = projected[k] + step * relation[k];
    }
  }

  void distances(const float* point, const float* relation, const Columns& candidates,
                 int64_t first, int64_t count, float* out) const override {
    l1_distances(point, relation + padded(size()), candidates, first, count, out);
  }
};

}  // namespace

std::unique_ptr<Score> make_transd(int64_t size) {
  return std::make_unique<TransD>(size);
}

}  // namespace acevec
