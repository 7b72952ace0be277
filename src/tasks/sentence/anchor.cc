#include "tasks/sentence/anchor.h"

#include <algorithm>

namespace acevec {

Anchor::Anchor(const PairText& text, const Matrix& rows, float strength)
    : rows_(rows),
      strength_(strength),
      place_of_(static_cast<size_t>(rows.rows()), -1),
      start_(std::ssize(text.words()), rows.columns()) {
  int32_t kept = 0;
  for (int64_t pair = 0; pair < text.pairs(); ++pair) {
    for (int side = 0; side < text.text_sides(); ++side) {
      for (const int32_t row : text.side(pair, side)) {
        int32_t& place = place_of_[static_cast<size_t>(row)];
        if (place >= 0) continue;
        place = kept++;
        std::copy_n(rows.row(row), rows.stride(), start_.row(place));
      }
    }
  }
}

void Anchor::pull(const float* row, float rate, float* change) const {
  const auto at = static_cast<size_t>((row - rows_.row(0)) / rows_.stride());
  const float* const start = start_.row(place_of_[at]);
  const float share = std::min(1.0F, rate * strength_);
  for (int64_t k = 0; k < rows_.stride(); ++k) change[k] -= share * (row[k] - start[k]);
}

}  // namespace acevec
