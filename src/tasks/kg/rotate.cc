// RotatE (Sun et al. 2019): s = Σ |h r − t|, of complex numbers; a relation turns each of them by
// an angle of its own. `size` counts real numbers and is even.
//
// A relation's row has numbers of any modulus but 0, of which only the directions count: no sine is
// taken in training, and rows are optimized and written as all others.
#include <cmath>

#include "kernels/complex_rows.h"
#include "tasks/kg/scores.h"

namespace acevec {
namespace {

class RotatE final : public Score {
 public:
  using Score::Score;

  float distance(const float* head, const float* relation, const float* tail) const override {
    return rotation_distance(head, relation, tail, padded(size()));
  }

  void add_gradient(const TripleRows& rows, float scale,
                    const TripleGradients& gradients) const override {
    add_rotation_gradient(rows, padded(size()), scale, gradients);
  }

  // |h r − t| = |h − t r̄|: h r, or t r̄.
  void ask(Side side, const float* kept, const float* relation, float* projected,
           float* point) const override {
    const float sign = side == Side::kTail ? 1.0F : -1.0F;
    for (int64_t k = 0; k < size(); k += 2) {
      projected[k] = kept[k];
      projected[k + 1] = kept[k + 1];
      const float modulus =
          std::sqrt(relation[k] * relation[k] + relation[k + 1] * relation[k + 1]);
      const float inverse = modulus > 0 ? 1 / modulus : 0;
      const float real = inverse * relation[k];
      const float imaginary = sign * inverse * relation[k + 1];
      point[k] = kept[k] * real - kept[k + 1] * imaginary;
      point[k + 1] = kept[k] * imaginary + kept[k + 1] * real;
    }
  }

  void distances(const float* point, const float* /*relation*/, const Columns& candidates,
                 int64_t first, int64_t count, float* out) const override {
    modulus_distances(point, candidates, first, count, out);
  }
};

}  // namespace

std::unique_ptr<Score> make_rotate(int64_t size) {
  return std::make_unique<RotatE>(size);
}

}  // namespace acevec
