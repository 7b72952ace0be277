// Locates the bits of pairs in the filter of observed pairs (ace/observed.h), many pairs at a time.
#pragma once

#include <cstdint>

namespace acevec {

// Pairs that are processed at once: enough to keep the memory busy.
inline constexpr int64_t kFilterChunk = 64;

// Some items with what their pairs' places depend on: a chunk, and one more for nearby partners.
struct FilterItems {
  alignas(64) uint64_t ids[2 * kFilterChunk];
  alignas(64) uint64_t hashes[2 * kFilterChunk];
  alignas(64) uint64_t firsts[2 * kFilterChunk];  // first words of the items' regions, as in Region
  alignas(64) uint64_t words[2 * kFilterChunk];
};

struct FilterPlaces {
  alignas(64) uint64_t words[kFilterChunk];  // index
  alignas(64) uint64_t bits[kFilterChunk];   // all set if the pair was observed
};

// Locates the pairs {x_row, y_i}, i < count.
extern void (*const locate_row)(const FilterItems& xs, int64_t row, const FilterItems& ys,
                                int64_t count, FilterPlaces& places);

// Locates the pairs {x_i, y_(i + shift)}, i < count.
extern void (*const locate_each)(const FilterItems& xs, const FilterItems& ys, int64_t shift,
                                 int64_t count, FilterPlaces& places);

}  // namespace acevec
