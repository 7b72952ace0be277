// Some rows of a matrix, as they are sent: for each process in turn, with increasing ids.
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

// Row ids[i] has the `width` values from values[i · width] on. counts[p] rows are for, or from,
// process p; of what goes to all, that is all rows for each.
struct Rows {
  int64_t width = 0;
  std::vector<int> counts;
  std::vector<int32_t> ids;
  std::vector<float> values;

  const float* row(size_t i) const { return values.data() + i * static_cast<size_t>(width); }
  float* row(size_t i) { return values.data() + i * static_cast<size_t>(width); }
};

// What is left of the values on the way.
void round_to(Wire wire, std::vector<float>& values);

// To whom rows go: each to the process that it is for, or all to all.
enum class To { kEach, kAll };

// Sends rows of a matrix; returns what came to this process. Adds the bytes that went to others.
Rows send_rows(const Rows& own, To to, Wire wire, Peers& peers, int64_t& bytes);

}  // namespace acevec
