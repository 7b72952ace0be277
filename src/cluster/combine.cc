#include "cluster/combine.h"

#include <algorithm>
#include <numeric>
#include <span>

namespace acevec {
namespace {

double square(const float* row, int64_t width) {
  double sum = 0;
  for (int64_t k = 0; k < width; ++k) sum += static_cast<double>(row[k]) * row[k];
  return sum;
}

// `of_row`: where the changes of one row are. Adds the row to the result.
void combine_row(const Rows& changes, std::span<const size_t> of_row, double times, Rows& result) {
  const int64_t width = changes.width;
  result.ids.push_back(changes.ids[of_row.front()]);
  result.values.resize(result.values.size() + static_cast<size_t>(width));
  float* const row = result.row(result.ids.size() - 1);
  double apart = 0;
  for (const size_t i : of_row) {
    const float* const change = changes.row(i);
    for (int64_t k = 0; k < width; ++k) row[k] += change[k];
    apart += square(change, width);
  }
  const double together = square(row, width);
  const double most = 1 / times;
  const auto scale = static_cast<float>(together * most > apart ? apart / together : most);
  for (int64_t k = 0; k < width; ++k) row[k] *= scale;
}

}  // namespace

Rows combine(const Rows& changes, double times) {
  const auto id_of = [&](size_t i) { return changes.ids[i]; };
  std::vector<size_t> order(changes.ids.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, id_of);  // those of one row stay in the order of the ranks
  Rows result{changes.width, {}, {}, {}};
  for (auto begin = order.begin(); begin != order.end();) {
    const auto end = std::ranges::upper_bound(begin, order.end(), id_of(*begin), {}, id_of);
    combine_row(changes, {begin, end}, times, result);
    begin = end;
  }
  result.counts.assign(changes.counts.size(), static_cast<int>(result.ids.size()));
  return result;
}

}  // namespace acevec
