#include "cluster/rows.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <span>

#include "kernels/bfloat16.h"

namespace acevec {
namespace {

constexpr size_t kIdHalves = sizeof(int32_t) / sizeof(uint16_t);

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
  const double together = square(row), most = 1 / times;  // together may be 0
  const auto scale = static_cast<float>(together * most > apart ? apart / together : most);
  for (float& number : row) number *= scale;
  return row;
}

}  // namespace

size_t Rows::group() const {
  return kIdHalves + static_cast<size_t>(width) * (wire == Wire::kFloat ? 2 : 1);
}

void Rows::add(int32_t id, const float* values) {
  ++items.counts[static_cast<size_t>(owner(id))];
  const size_t end = items.items.size();
  items.items.resize(end + group());
  uint16_t* const to = items.items.data() + end;
  std::memcpy(to, &id, sizeof id);
  if (wire == Wire::kFloat) {
    std::memcpy(to + kIdHalves, values, static_cast<size_t>(width) * sizeof(float));
  } else {
    std::transform(values, values + width, to + kIdHalves, to_bfloat16);
  }
}

int32_t Rows::id(size_t i) const {
  int32_t id = 0;
  std::memcpy(&id, items.items.data() + i * group(), sizeof id);
  return id;
}

std::vector<float> Rows::row(size_t i) const {
  std::vector<float> values(static_cast<size_t>(width));
  const uint16_t* const from = items.items.data() + i * group() + kIdHalves;
  if (wire == Wire::kFloat) {
    std::memcpy(values.data(), from, values.size() * sizeof(float));
  } else {
    std::transform(from, from + width, values.begin(), from_bfloat16);
  }
  return values;
}

Rows Rows::to_owners(Peers& peers, int64_t& bytes) const {
  const auto own = static_cast<size_t>(items.counts[static_cast<size_t>(peers.rank())]);
  bytes += static_cast<int64_t>((size() - own) * group() * sizeof(uint16_t));
  return {width, wire, trade(peers, items, group())};
}

Rows Rows::to_all(Peers& peers, int64_t& bytes) const {
  bytes += static_cast<int64_t>(items.items.size() * sizeof(uint16_t)) * (peers.count() - 1);
  return {width, wire, gather_all(peers, items.items, group())};
}

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
