// ComplEx (Trouillon et al. 2016): s = −Re Σ h r t̄, of complex numbers, so that a relation need not
// be symmetric as DistMult's are. `size` counts real numbers and is even.
#include "kernels/complex_rows.h"
#include "tasks/kg/product_score.h"
#include "tasks/kg/scores.h"

namespace acevec {
namespace {

class ComplEx final : public ProductScore {
 public:
  using ProductScore::ProductScore;

  float distance(const float* head, const float* relation, const float* tail) const override {
    return -complex_triple_product(head, relation, tail, padded(size()));
  }

  void add_gradient(const TripleRows& rows, float scale,
                    const TripleGradients& gradients) const override {
    const auto& [head, relation, tail] = rows;
    const int64_t width = padded(size());
    add_complex_products(tail, relation, Factor::kConjugate, -scale, width, gradients.head);
    add_complex_products(tail, head, Factor::kConjugate, -scale, width, gradients.relation);
    add_complex_products(head, relation, Factor::kPlain, -scale, width, gradients.tail);
  }

  // h r, or t r̄.
  void ask(Side side, const float* kept, const float* relation, float* projected,
           float* point) const override {
    const float sign = side == Side::kTail ? 1.0F : -1.0F;
    for (int64_t k = 0; k < size(); k += 2) {
      projected[k] = kept[k];
      projected[k + 1] = kept[k + 1];
      const float imaginary = sign * relation[k + 1];
      point[k] = kept[k] * relation[k] - kept[k + 1] * imaginary;
      point[k + 1] = kept[k] * imaginary + kept[k + 1] * relation[k];
    }
  }

  void add_point_gradient(Side side, const float* kept, const float* relation,
                          const float* point_gradient, float* kept_gradient,
                          float* relation_gradient) const override {
    const int64_t width = padded(size());
    if (side == Side::kTail) {
      add_complex_products(point_gradient, relation, Factor::kConjugate, 1, width, kept_gradient);
      add_complex_products(point_gradient, kept, Factor::kConjugate, 1, width, relation_gradient);
    } else {
      add_complex_products(point_gradient, relation, Factor::kPlain, 1, width, kept_gradient);
      add_complex_products(kept, point_gradient, Factor::kConjugate, 1, width, relation_gradient);
    }
  }

  float add_cubes(const float* vector, float scale, float* gradient) const override {
    return add_complex_cubes(vector, scale, padded(size()), gradient);
  }
};

}  // namespace

std::unique_ptr<Score> make_complex(int64_t size) {
  return std::make_unique<ComplEx>(size);
}

}  // namespace acevec
