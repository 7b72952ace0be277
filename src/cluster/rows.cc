#include "cluster/rows.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "kernels/bfloat16.h"

namespace acevec {
namespace {

// A row travels as its id and its values, in halves: units of the size of a bfloat16.
using Half = uint16_t;
constexpr size_t kIdHalves = sizeof(int32_t) / sizeof(Half);

size_t halves_of_row(int64_t width, Wire wire) {
  const size_t of_number = wire == Wire::kFloat ? sizeof(float) / sizeof(Half) : 1;
  return kIdHalves + static_cast<size_t>(width) * of_number;
}

std::vector<Half> pack(const Rows& rows, Wire wire) {
  const auto width = static_cast<size_t>(rows.width);
  const size_t halves = halves_of_row(rows.width, wire);
  std::vector<Half> packed(rows.ids.size() * halves);
  for (size_t i = 0; i < rows.ids.size(); ++i) {
    Half* const to = packed.data() + i * halves;
    std::memcpy(to, &rows.ids[i], sizeof rows.ids[i]);
    if (wire == Wire::kFloat) {
      std::memcpy(to + kIdHalves, rows.row(i), width * sizeof(float));
    } else {
      std::transform(rows.row(i), rows.row(i) + width, to + kIdHalves, to_bfloat16);
    }
  }
  return packed;
}

Rows unpack(const Items<Half>& packed, int64_t width, Wire wire) {
  const size_t halves = halves_of_row(width, wire);
  Rows rows{width, packed.counts, std::vector<int32_t>(packed.groups()), {}};
  rows.values.resize(rows.ids.size() * static_cast<size_t>(width));
  for (size_t i = 0; i < rows.ids.size(); ++i) {
    const Half* const from = packed.items.data() + i * halves;
    std::memcpy(&rows.ids[i], from, sizeof rows.ids[i]);
    if (wire == Wire::kFloat) {
      std::memcpy(rows.row(i), from + kIdHalves, static_cast<size_t>(width) * sizeof(float));
    } else {
      std::transform(from + kIdHalves, from + halves, rows.row(i), from_bfloat16);
    }
  }
  return rows;
}

}  // namespace

void round_to(Wire wire, std::vector<float>& values) {
  if (wire == Wire::kFloat) return;
  round_to_bfloat16(values.data(), std::ssize(values));
}

Rows send_rows(const Rows& own, To to, Wire wire, Peers& peers, int64_t& bytes) {
  const size_t halves = halves_of_row(own.width, wire);
  const Items<Half> packed{own.counts, pack(own, wire)};
  const size_t to_others =
      packed.groups() - static_cast<size_t>(own.counts[static_cast<size_t>(peers.rank())]);
  bytes += static_cast<int64_t>(to_others * halves * sizeof(Half));
  return unpack(
      to == To::kEach ? trade(peers, packed, halves) : gather_all(peers, packed.items, halves),
      own.width, wire);
}

}  // namespace acevec
