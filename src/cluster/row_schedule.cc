#include "cluster/row_schedule.h"

#include <algorithm>
#include <iterator>

namespace acevec {

RowSchedule::RowSchedule(int64_t rows, const std::vector<double>& changes, double wanted,
                         int64_t rarest)
    : levels_(1) {
  for (int64_t row = 0; row < rows; ++row) {
    // Rows that nothing is known of are as rare as the last.
    const int64_t known = std::min(row, std::ssize(changes) - 1);
    double expected = changes.empty() ? wanted : changes[static_cast<size_t>(known)];
    size_t level = 0;
    for (int64_t period = 2; period <= rarest && expected < wanted; period *= 2) {
      ++level;
      expected *= 2;
    }
    levels_.resize(std::max(levels_.size(), level + 1));
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
