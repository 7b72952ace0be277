// The pairs {x, y} observed in training, by which true pairs among negatives are detected (false
// negatives: ace-2018, section 2.5).
//
// Items are numbered by descending frequency, from 0. A pair is stored in a region of memory that
// belongs to the rarer of the two, in one of two ways. A region with room for a bit per partner is
// a bitmap, which is exact. A smaller one is a Bloom filter in which a pair sets 3 bits of one
// 64-bit word: it recalls every pair, and takes a few absent ones for observed. All bits are in one
// word, so that a lookup costs at most one cache line; and since regions are small or, for frequent
// items, used again and again, most lines are cached already.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/memory.h"

namespace acevec {

class ObservedPairs {
 public:
  // Makes an empty set for items 0 .. partners.size() − 1, at least one. partners[id] ≥ 0: the
  // approximate number of distinct partners with ids up to its own. It decides the sizes of
  // regions, so a rough guess suffices, and only ratios matter. `bytes`: most memory to use, at
  // least 8; less is used if it holds a bit for every possible pair, and never more than 32 GiB. 8
  // bytes per item come on top. Throws std::bad_alloc.
  ObservedPairs(int64_t bytes, const std::vector<double>& partners);

  // Inserts every pair {ids[i], ids[k]} with 0 < k − i ≤ window of a sequence of `length` items;
  // x = y is a pair too. Threads may insert concurrently.
  void insert(const int32_t* ids, int64_t length, int64_t window);

  // Sets observed[i · count + k] to 1 if {xs[i], ys[k]} was inserted (or appears to be), else to 0,
  // for i < rows, k < count. Concurrent inserts become visible a little later.
  void find_all(const int32_t* xs, int64_t rows, const int32_t* ys, int64_t count,
                uint8_t* observed) const;

  // Prefetches the memory that find_all() reads first for these items.
  void prefetch(const int32_t* ids, int64_t count) const;

  // The whole memory. The bitwise or of two texts' words has both's pairs, if all sizes are equal.
  std::span<uint64_t> words() {
    return {words_.get(), static_cast<size_t>(bytes()) / sizeof(uint64_t)};
  }

  int64_t bytes() const { return words_.get_deleter().bytes; }  // allocated for the regions

 private:
  struct Region {
    uint32_t first;  // index of its first word
    uint32_t words;  // 0: a bitmap of partners
  };

  std::vector<Region> regions_;
  std::unique_ptr<uint64_t[], Unmap> words_;
};

}  // namespace acevec
