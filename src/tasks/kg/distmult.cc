#include "tasks/kg/distmult.h"

#include <cmath>
#include <iterator>
#include <numeric>

namespace acevec {

float DistMult::distance(const float* head, const float* relation, const float* tail) const {
  float sums[kRowPadding] = {};  // side by side, so that the compiler may use vectors
  for (int64_t k = 0; k < padded(size()); k += kRowPadding) {
    for (int64_t lane = 0; lane < kRowPadding; ++lane) {
      sums[lane] += head[k + lane] * relation[k + lane] * tail[k + lane];
    }
  }
  return -std::accumulate(std::begin(sums), std::end(sums), 0.0F);
}

void DistMult::add_gradient(const TripleRows& rows, float scale,
                            const TripleGradients& gradients) const {
  const auto& [head, relation, tail] = rows;
  for (int64_t k = 0; k < padded(size()); ++k) {
    gradients.head[k] -= scale * relation[k] * tail[k];
    gradients.relation[k] -= scale * head[k] * tail[k];
    gradients.tail[k] -= scale * head[k] * relation[k];
  }
}

void DistMult::ask(Side /*side*/, const float* kept, const float* relation, float* projected,
                   float* point) const {
  for (int64_t k = 0; k < size(); ++k) {
    projected[k] = kept[k];
    point[k] = kept[k] * relation[k];
  }
}

void DistMult::add_point_gradient(Side /*side*/, const float* kept, const float* relation,
                                  const float* point_gradient, float* kept_gradient,
                                  float* relation_gradient) const {
  for (int64_t k = 0; k < padded(size()); ++k) {
    kept_gradient[k] += point_gradient[k] * relation[k];
    relation_gradient[k] += point_gradient[k] * kept[k];
  }
}

float DistMult::add_cubes(const float* vector, float scale, float* gradient) const {
  float sum = 0;
  for (int64_t k = 0; k < size(); ++k) {
    const float modulus = std::abs(vector[k]);
    sum += modulus * modulus * modulus;
    gradient[k] += 3 * scale * modulus * vector[k];
  }
  return sum;
}

}  // namespace acevec
