#include "tasks/kg/rotate.h"

#include <cmath>

#include "kernels/complex_rows.h"

namespace acevec {

float RotatE::distance(const float* head, const float* relation, const float* tail) const {
  return rotation_distance(norm_, head, relation, tail, padded(size()));
}

void RotatE::add_gradient(const TripleRows& rows, float scale,
                          const TripleGradients& gradients) const {
  add_rotation_gradient(norm_, rows, padded(size()), scale, gradients);
}

// |h r − t| = |h − t r̄|: h r, or t r̄.
void RotatE::ask(Side side, const float* kept, const float* relation, float* projected,
                 float* point) const {
  const float sign = side == Side::kTail ? 1.0F : -1.0F;
  for (int64_t k = 0; k < size(); k += 2) {
    projected[k] = kept[k];
    projected[k + 1] = kept[k + 1];
    const float modulus = std::sqrt(relation[k] * relation[k] + relation[k + 1] * relation[k + 1]);
    const float inverse = modulus > 0 ? 1 / modulus : 0;
    const float real = inverse * relation[k];
    const float imaginary = sign * inverse * relation[k + 1];
    point[k] = kept[k] * real - kept[k + 1] * imaginary;
    point[k + 1] = kept[k] * imaginary + kept[k + 1] * real;
  }
}

void RotatE::distances(const float* point, const float* /*relation*/, const Columns& candidates,
                       int64_t first, int64_t count, float* out) const {
  if (norm_ == Norm::kL1) {
    modulus_distances(point, candidates, first, count, out);
  } else {
    l2_distances(point, nullptr, candidates, first, count, out);
  }
}

}  // namespace acevec
