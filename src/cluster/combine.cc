#include "cluster/combine.h"

#include <map>
#include <vector>

namespace acevec {
namespace {

double square(const std::vector<float>& row) {
  double sum = 0;
  for (const float number : row) sum += static_cast<double>(number) * number;
  return sum;
}

// `of_row`: where the changes of one row are.
std::vector<float> combine_row(const Rows& changes, const std::vector<size_t>& of_row,
                               double times) {
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
  std::map<int32_t, std::vector<size_t>> of_rows;  // in the order of the ranks
  for (size_t i = 0; i < changes.size(); ++i) of_rows[changes.id(i)].push_back(i);
  Rows result{changes.width, changes.wire, {std::vector<int>(changes.items.counts.size()), {}}};
  for (const auto& [id, of_row] : of_rows) {
    result.add(id, combine_row(changes, of_row, times).data());
  }
  return result;
}

}  // namespace acevec
