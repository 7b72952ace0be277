// Changes of some rows of a matrix: how they travel and are combined.
#pragma once

#include <cstdint>
#include <vector>

#include "cluster/peers.h"

namespace acevec {

// How numbers travel.
enum class Wire {
  kFloat,
  kBfloat16,  // the upper half of a float, 8 bits of precision: half the bytes
};

struct Rows {
  int64_t width;  // numbers of a row
  Wire wire;
  Items<uint16_t> items;  // a group is a row: its id and its numbers; counts[p] are for, or from,
                          // process p

  // The process that combines what all have of a row.
  int owner(int32_t id) const { return id % static_cast<int>(items.counts.size()); }

  // Puts a row behind the others, which come in the order of their owners.
  void add(int32_t id, const float* values);

  size_t group() const;  // items of a row
  size_t size() const { return items.items.size() / group(); }
  int32_t id(size_t i) const;
  void read(size_t i, float* values) const;  // as they were rounded to travel

  // Sends each row to its owner, or all rows to all. Returns what came to this process. Adds the
  // bytes that went to others.
  Rows to_owners(Peers& peers, int64_t& bytes) const;
  Rows to_all(Peers& peers, int64_t& bytes) const;
};

// What becomes of each row of which some processes have sent their changes δ_i:
// Σ δ_i · min(1 / times, Σ |δ_i|² / |Σ δ_i|²), where each process's learning rate is `times` that
// of one alone. Rare rows change little and in different directions: there the sum is what one
// process would have done. Frequent rows of all processes go the same way, as far as one would have
// gone alone: there this is the average. The result is for all processes.
Rows combine(const Rows& changes, double times);

}  // namespace acevec
