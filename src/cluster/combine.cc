#include "cluster/combine.h"

#include <algorithm>
#include <numeric>
#include <span>

namespace acevec {
namespace {

double square(const std::vector<float>& row) {
  double sum = 0;
  for (const float number : row) sum += static_cast<double>(number) * number;
  return sum;
}

// `of_row`: where the changes of one row are.
std::vector<float> combine_row(const Rows& changes, std::span<const size_t> of_row, double times) {
  std::vector<float> row(static_cast<size_t>(changes.width));
  double apart = 0;
  for (const size_t i : of_row) {
    const std::vector<float> change = changes.row(i);
    for (size_t k = 0; k < row.size(); ++k) row[k] += change[k];
    apart += square(change);
  }
  const double together = square(row);
  const double most = 1 / times;
  const auto scale = static_cast<float>(together * most > apart ? apart / together : most);
  for (float& number : row) number *= scale;
  return row;
}

}  // namespace

Rows combine(const Rows& changes, double times) {
  const auto id_of = [&](size_t i) { return changes.id(i); };
  std::vector<size_t> order(changes.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, id_of);  // those of one row stay in the order of the ranks
  Rows result{changes.width, changes.wire, {std::vector<int>(changes.items.counts.size()), {}}};
  for (auto begin = order.begin(); begin != order.end();) {
    const auto end = std::ranges::upper_bound(begin, order.end(), id_of(*begin), {}, id_of);
    result.add(id_of(*begin), combine_row(changes, {begin, end}, times).data());
    begin = end;
  }
  return result;
}

}  // namespace acevec
