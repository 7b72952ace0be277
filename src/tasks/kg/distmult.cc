// DistMult (Yang et al. 2015): s = −Σ_k h_k r_k t_k, symmetric in head and tail.
#include <cmath>
#include <iterator>
#include <numeric>

#include "tasks/kg/product_score.h"
#include "tasks/kg/scores.h"

namespace acevec {
namespace {

class DistMult final : public ProductScore {
 public:
  using ProductScore::ProductScore;

  float distance(const float* head, const float* relation, const float* tail) const override {
    float sums[kRowPadding] = {};  // side by side, so that the compiler may use vectors
    for (int64_t k = 0; k < padded(size()); k += kRowPadding) {
      for (int64_t lane = 0; lane < kRowPadding; ++lane) {
        sums[lane] += head[k + lane] * relation[k + lane] * tail[k + lane];
      }
    }
    return -std::accumulate(std::begin(sums), std::end(sums), 0.0F);
  }

  void add_gradient(const TripleRows& rows, float scale,
                    const TripleGradients& gradients) const override {
    const auto& [head, relation, tail] = rows;
    for (int64_t k = 0; k < padded(size()); ++k) {
      gradients.head[k] -= scale * relation[k] * tail[k];
      gradients.relation[k] -= scale * head[k] * tail[k];
      gradients.tail[k] -= scale * head[k] * relation[k];
    }
  }

  void ask(Side /*side*/, const float* kept, const float* relation, float* projected,
           float* point) const override {
    for (int64_t k = 0; k < size(); ++k) {
      projected[k] = kept[k];
      point[k] = kept[k] * relation[k];
    }
  }

  void add_point_gradient(Side /*side*/, const float* kept, const float* relation,
                          const float* point_gradient, float* kept_gradient,
                          float* relation_gradient) const override {
    for (int64_t k = 0; k < padded(size()); ++k) {
      kept_gradient[k] += point_gradient[k] * relation[k];
      relation_gradient[k] += point_gradient[k] * kept[k];
    }
  }

  float add_cubes(const float* vector, float scale, float* gradient) const override {
    float sum = 0;
    for (int64_t k = 0; k < size(); ++k) {
      const float modulus = std::abs(vector[k]);
      sum += modulus * modulus * modulus;
      gradient[k] += 3 * scale * modulus * vector[k];
    }
    return sum;
  }
};

}  // namespace

std::unique_ptr<Score> make_distmult(int64_t size) {
  return std::make_unique<DistMult>(size);
}

}  // namespace acevec
