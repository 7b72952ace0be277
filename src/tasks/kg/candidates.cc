#include "tasks/kg/candidates.h"

#include <functional>

#include "math/table_products.h"

namespace acevec {

Candidates::Candidates(const KgModel& model)
    : model_(model),
      products_(dynamic_cast<const ProductScore*>(model.score.get())),
      pairs_(dynamic_cast<const PairScore*>(model.score.get())) {
  if (products_ == nullptr) columns_.emplace(model.score->size(), count());
  for (int64_t i = 0; i < count(); ++i) {
    const float* const row = model.entities.row(i);
    if (columns_) columns_->set(i, row, pairs_->shift(row));
    if (is_euclidean()) squares_.push_back(products_->square(row));
  }
}

void Candidates::distances(std::span<const float> points, std::span<const float* const> relations,
                           int64_t first, int64_t count, float* out) const {
  const auto asked = std::ssize(relations);
  if (columns_) {
    for (int64_t i = 0; i < asked; ++i) {
      pairs_->distances(points.data() + i * width(), relations[static_cast<size_t>(i)], *columns_,
                        first, count, out + i * kTogether);
    }
    return;
  }
  const int64_t fours = model_.entities.rows() < 4 ? count : count / 4 * 4;
  score_tables({points.data(), asked}, {model_.entities.row(first), fours}, width(),
               {out, kTogether});
  if (fours < count) score_last(points, asked, first + count, count - fours, out + fours);
  for (int64_t i = 0; i < asked; ++i) {
    float* const row = out + i * kTogether;
    if (is_euclidean()) {
      const float* const point = points.data() + i * width();
      distances_of_products(products_->square(point), squares_.data() + first, count, row, nullptr);
    } else {
      std::transform(row, row + count, row, std::negate<>());
    }
  }
}

// Scores the last one to three entities by the arithmetic of four rows.
void Candidates::score_last(std::span<const float> points, int64_t asked, int64_t end,
                            int64_t count, float* out) const {
  std::vector<float> scores(static_cast<size_t>(4 * asked));
  score_tables({points.data(), asked}, {model_.entities.row(end - 4), 4}, width(),
               {scores.data(), 4});
  for (int64_t i = 0; i < asked; ++i) {
    std::copy_n(scores.data() + 4 * i + 4 - count, count, out + i * kTogether);
  }
}

std::span<const int32_t> ids_within(std::span<const int32_t> ids, int64_t first, int64_t count) {
  return {std::ranges::lower_bound(ids, first), std::ranges::lower_bound(ids, first + count)};
}

float AskedTogether::distance(size_t i, int32_t entity) {
  const int64_t first = entity / kRowPadding * kRowPadding;
  const int64_t count = std::min<int64_t>(kRowPadding, candidates_.count() - first);
  candidates_.distances(points(i, 1), {&relations_[i], 1}, first, count, distances_.data());
  return distances_.data()[entity - first];
}

}  // namespace acevec
