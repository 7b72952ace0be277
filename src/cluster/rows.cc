#include "cluster/rows.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <numeric>

#include "kernels/bfloat16.h"

namespace acevec {
namespace {

constexpr size_t kIdHalves = sizeof(int32_t) / sizeof(uint16_t);

// In several sums, since each addition would wait for the one before.
double square(const std::vector<float>& row) {
  constexpr size_t kSums = 8;
  double sums[kSums] = {};
  for (size_t k = 0; k < row.size(); ++k) sums[k % kSums] += static_cast<double>(row[k]) * row[k];
  return std::accumulate(std::begin(sums), std::end(sums), 0.0);
}

}  // namespace

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
    for (int64_t k = 0; k < width; ++k)
      to[kIdHalves + static_cast<size_t>(k)] = to_bfloat16(values[k]);
  }
}

int32_t Rows::id(size_t i) const {
  int32_t id = 0;
  std::memcpy(&id, items.items.data() + i * group(), sizeof id);
  return id;
}

void Rows::read(size_t i, float* values) const {
  const uint16_t* const from = items.items.data() + i * group() + kIdHalves;
  if (wire == Wire::kFloat) {
    std::memcpy(values, from, static_cast<size_t>(width) * sizeof(float));
  } else {
    for (int64_t k = 0; k < width; ++k) values[k] = from_bfloat16(from[k]);
  }
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
  std::vector<float> row(static_cast<size_t>(changes.width)), change(row.size());
  for (auto at = order.begin(); at != order.end();) {
    const int32_t id = id_of(*at);
    std::ranges::fill(row, 0.0F);
    double apart = 0;
    for (; at != order.end() && id_of(*at) == id; ++at) {
      changes.read(*at, change.data());
      for (size_t k = 0; k < row.size(); ++k) row[k] += change[k];
      apart += square(change);
    }
    const double together = square(row), most = 1 / times;  // together may be 0
    const auto scale = static_cast<float>(together * most > apart ? apart / together : most);
    for (float& number : row) number *= scale;
    result.add(id, row.data());
  }
  return result;
}

}  // namespace acevec
