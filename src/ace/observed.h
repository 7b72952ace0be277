// The pairs {x, y} seen in training, so that made-up pairs which are true can be told from the rest
// (false negatives: ace-2018, section 2.5).
//
// Items are numbered by falling frequency: 0 is met most often. A pair is kept in a region of
// memory that belongs to the rarer of the two, in one of two ways. A region with room for a bit per
// partner is just that and makes no mistakes; a smaller one is a Bloom filter in which a pair sets
// 3 bits of one 64-bit word: it remembers every pair (no false negatives) and takes a few absent
// ones for observed. A word and not bits all over the region, so that a lookup costs one cache line
// at most; and since regions are small or, for frequent items, met again and again, most lines are
// in the caches already.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/memory.h"

namespace acevec {

class ObservedPairs {
 public:
  // Empty, for items 0 .. partners.size() − 1, at least one. partners[id] ≥ 0: about how many
  // different partners with ids up to its own the item has. It decides how the memory is shared
  // out, so a rough guess is enough, and only ratios matter. `bytes`: memory to use at most, at
  // least 8; it takes less when less holds a bit for every possible pair, and never more than 32
  // GiB. 8 bytes for each item come on top. Throws std::bad_alloc.
  ObservedPairs(int64_t bytes, const std::vector<double>& partners);

  // Every pair {ids[i], ids[k]} with 0 < k − i ≤ window, of a sequence of `length` items; x = y is
  // a pair too. Threads may insert at once.
  void insert(const int32_t* ids, int64_t length, int64_t window);

  // observed[i · count + k] = 1 if {xs[i], ys[k]} was inserted (or seems to be), otherwise 0, for
  // i < rows, k < count. While others insert, their pairs are seen a little later.
  void find_all(const int32_t* xs, int64_t rows, const int32_t* ys, int64_t count,
                uint8_t* observed) const;

  // Prefetches the memory of these items that find_all() reads first.
  void prefetch(const int32_t* ids, int64_t count) const;

  // The whole memory. The bitwise or of two texts' words has the pairs of both, if items, bytes and
  // partners are the same.
  std::span<uint64_t> words();

  // The allocated bytes of the regions.
  int64_t bytes() const;

 private:
  struct Region {
    uint32_t first;  // index of its first word
    uint32_t words;  // 0: a bit for each partner
  };

  std::vector<Region> regions_;
  std::unique_ptr<uint64_t[], Unmap> words_;
};

}  // namespace acevec
