// TransE (Bordes et al. 2013): s = Σ |h + r − t|, a relation is a step from head to tail.
#include "kernels/translation.h"
#include "tasks/kg/scores.h"

namespace acevec {
namespace {

class TransE final : public Score {
 public:
  using Score::Score;

  float distance(const float* head, const float* relation, const float* tail) const override {
    return translation_length({{head, relation, tail}, nullptr, 0}, padded(size()));
  }

  void add_gradient(const TripleRows& rows, float scale,
                    const TripleGradients& gradients) const override {
    add_translation_gradient({rows, nullptr, 0}, padded(size()), scale, gradients, nullptr);
  }

  void ask(Side side, const float* kept, const float* relation, float* projected,
           float* point) const override {
    const float direction = side == Side::kTail ? 1 : -1;
    for (int64_t k = 0; k < size(); ++k) {
      projected[k] = kept[k];
      point[k] = kept[k] + direction * relation[k];
    }
  }

  void distances(const float* point, const float* /*relation*/, const Columns& candidates,
                 int64_t first, int64_t count, float* out) const override {
    l1_distances(point, nullptr, candidates, first, count, out);
  }
};

}  // namespace

std::unique_ptr<Score> make_transe(int64_t size) {
  return std::make_unique<TransE>(size);
}

}  // namespace acevec
