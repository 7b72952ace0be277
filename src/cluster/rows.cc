#include "cluster/rows.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "kernels/bfloat16.h"

namespace acevec {
namespace {

size_t bytes_of_number(Wire wire) {
  return wire == Wire::kFloat ? sizeof(float) : sizeof(uint16_t);
}

// Room for what comes to this process, with the counts that all processes have for it.
std::vector<Rows> room_for(const std::vector<Rows>& own, Peers& peers) {
  const std::vector<int> each(static_cast<size_t>(peers.count()), static_cast<int>(own.size()));
  std::vector<int> own_counts;  // [process · matrices + matrix]
  for (size_t process = 0; process < each.size(); ++process) {
    for (const Rows& rows : own) own_counts.push_back(rows.counts[process]);
  }
  std::vector<int> counts(own_counts.size());
  peers.alltoallv(own_counts.data(), each, counts.data(), each, sizeof(int));
  peers.wait();
  std::vector<Rows> room;
  for (size_t i = 0; i < own.size(); ++i) {
    Rows& rows = room.emplace_back(Rows{own[i].width, {}, {}, {}});
    for (size_t at = i; at < counts.size(); at += own.size()) rows.counts.push_back(counts[at]);
    rows.ids.resize(std::reduce(rows.counts.begin(), rows.counts.end(), size_t{0}));
    rows.values.resize(rows.ids.size() * static_cast<size_t>(rows.width));
  }
  return room;
}

std::vector<uint16_t> halves_of(const std::vector<float>& values) {
  std::vector<uint16_t> halves(values.size());
  std::transform(values.begin(), values.end(), halves.begin(), to_bfloat16);
  return halves;
}

}  // namespace

void round_to(Wire wire, std::vector<float>& values) {
  if (wire == Wire::kFloat) return;
  round_to_bfloat16(values.data(), std::ssize(values));
}

std::vector<Rows> send_rows(const std::vector<Rows>& own, To to, Wire wire, Peers& peers,
                            int64_t& bytes) {
  const auto send = [&](const void* data, const Rows& rows, void* into, const Rows& in,
                        size_t item) {
    if (to == To::kEach) return peers.alltoallv(data, rows.counts, into, in.counts, item);
    peers.allgatherv(data, into, in.counts, item);
  };
  std::vector<Rows> received = room_for(own, peers);
  std::vector<std::vector<uint16_t>> halves, received_halves;
  for (size_t i = 0; i < own.size(); ++i) {
    const Rows& rows = own[i];
    Rows& in = received[i];
    const size_t row_bytes = static_cast<size_t>(rows.width) * bytes_of_number(wire);
    for (int process = 0; process < peers.count(); ++process) {
      if (process == peers.rank()) continue;
      bytes += rows.counts[static_cast<size_t>(process)] *
               static_cast<int64_t>(sizeof(int32_t) + row_bytes);
    }
    send(rows.ids.data(), rows, in.ids.data(), in, sizeof(int32_t));
    if (wire == Wire::kFloat) {
      send(rows.values.data(), rows, in.values.data(), in, row_bytes);
    } else {
      halves.push_back(halves_of(rows.values));
      received_halves.emplace_back(in.values.size());
      send(halves.back().data(), rows, received_halves.back().data(), in, row_bytes);
    }
  }
  peers.wait();
  for (size_t i = 0; i < received_halves.size(); ++i) {
    std::transform(received_halves[i].begin(), received_halves[i].end(), received[i].values.begin(),
                   from_bfloat16);
  }
  return received;
}

}  // namespace acevec
