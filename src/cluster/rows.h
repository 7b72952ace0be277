// Changes of rows of a matrix: when they are sent, how they travel, and how they are combined.
#pragma once

#include <cstdint>
#include <vector>

#include "cluster/peers.h"

namespace acevec {

// Each row is sent about as often as it changes.
class RowSchedule {
 public:
  // `changes`: for each row, about how often it changes from one exchange to the next; empty: all
  // `rows` rows always do. A row takes part in every 2^k-th exchange, k the least with which it
  // changes at least `wanted` times in between, but in every `rarest`-th at least.
  RowSchedule(int64_t rows, const std::vector<double>& changes, double wanted, int64_t rarest);

  // The rows of exchange number `round`, in increasing order. Of the rows that take part in every
  // 2^k-th exchange, an equal share comes each time.
  std::vector<int32_t> due(int64_t round) const;

 private:
  std::vector<std::vector<int32_t>> levels_;  // [k]: the rows of every 2^k-th exchange
};

// The format of numbers on the wire.
enum class Wire {
  kFloat,
  kBfloat16,  // the upper half of a float, 8 bits of precision: half the bytes
};

struct Rows {
  int64_t width;  // numbers of a row
  Wire wire;
  Items<uint16_t> items;  // a group is a row: its id and its numbers; counts[p] are for, or from,
                          // process p

  // The process that combines the changes of a row.
  int owner(int32_t id) const { return id % static_cast<int>(items.counts.size()); }

  // Appends a row; rows come in the order of their owners.
  void add(int32_t id, const float* values);

  size_t group() const;  // items of a row
  size_t size() const { return items.items.size() / group(); }
  int32_t id(size_t i) const;
  void read(size_t i, float* values) const;  // as rounded for the wire

  // Send each row to its owner, or all rows to all. Return the rows that came to this process. Add
  // the bytes that went to others.
  Rows to_owners(Peers& peers, int64_t& bytes) const;
  Rows to_all(Peers& peers, int64_t& bytes) const;
};

// Combines the processes' changes δ_i of each row to
// Σ δ_i · min(1 / times, Σ |δ_i|² / |Σ δ_i|²), where each process's learning rate is `times` that
// of one alone. Rare rows change little and in different directions: there the sum is the change
// that one process would have made. Frequent rows of all processes go the same way, as far as in
// one process alone: there this is the average. The result is for all processes.
Rows combine(const Rows& changes, double times);

}  // namespace acevec
