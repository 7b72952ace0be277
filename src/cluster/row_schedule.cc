#include "cluster/row_schedule.h"

#include <algorithm>

namespace acevec {

RowSchedule::RowSchedule(int64_t rows, const std::vector<double>& changes, double wanted,
                         int64_t rarest)
    : levels_(1) {
  for (int64_t row = 0; row < rows; ++row) {
    const auto i = static_cast<size_t>(row);
    size_t level = 0;
    if (!changes.empty()) {
      // Rows that nothing is known of are as rare as the last.
      double expected = i < changes.size() ? changes[i] : changes.back();
      for (int64_t period = 2; period <= rarest && expected < wanted; period *= 2) {
        ++level;
        expected *= 2;
      }
    }
    if (level >= levels_.size()) levels_.resize(level + 1);
    levels_[level].push_back(static_cast<int32_t>(row));
  }
}

std::vector<int32_t> RowSchedule::due(int64_t round) const {
  std::vector<int32_t> rows;
  for (size_t level = 0; level < levels_.size(); ++level) {
    const std::vector<int32_t>& all = levels_[level];
    const size_t period = size_t{1} << level;
    for (size_t i = static_cast<size_t>(round) % period; i < all.size(); i += period) {
      rows.push_back(all[i]);
    }
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace acevec
