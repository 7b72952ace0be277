#include "tasks/word/own_negatives.h"

#include "kernels/hogwild.h"
#include "kernels/logistic_loss.h"
#include "kernels/products.h"

namespace acevec {

OwnNegatives::OwnNegatives(const Matrix& contexts, int64_t most)
    : contexts_(contexts), width_(contexts.stride()), rows_(most * width_), scores_(most) {}

double OwnNegatives::repel(const OwnDraws& draws, const std::vector<float>& weights, float step,
                           const float* words, float* word_changes, float* changes) {
  const std::vector<int32_t>& rows = draws.rows;
  const std::vector<int32_t>& ids = draws.ids;
  const auto count = static_cast<int64_t>(ids.size());
  gather_rows(contexts_, ids.data(), count, rows_.data());
  float* const scores = scores_.data();
  for (int64_t i = 0; i < count; ++i) {
    score_rows({words + rows[static_cast<size_t>(i)] * width_, 1}, {rows_.data() + i * width_, 1},
               width_, {scores + i, 1});
  }
  const double loss = logistic_loss_of_negatives(scores, count, 1, weights.data(), step);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t word = rows[static_cast<size_t>(i)] * width_;
    const Weights gradient{scores + i, 1, 1};
    mix_rows(gradient, 1, {rows_.data() + i * width_, 1}, width_, word_changes + word, true);
    mix_rows(gradient, 1, {words + word, 1}, width_, changes + i * width_, false);
  }
  return loss;
}

}  // namespace acevec
