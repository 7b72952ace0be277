// The pairs (x, y) seen in training, so that made-up pairs which are true can be told from the rest
// (false negatives: ace-2018, section 2.5).
//
// A Bloom filter: a pair sets 3 bits of one 64-bit word. It remembers every pair (no false
// negatives) and takes a few absent pairs for observed ones, which false_positive_rate() tells. One
// word, not bits all over the memory, so that a lookup costs one cache miss and an insertion one
// instruction; for 9 bits a pair that gives 3.0 % false positives where 3 free bits would give 2.3
// %.
#pragma once

#include <cstdint>
#include <memory>

#include "math/pages.h"

namespace acevec {

// Any number of threads may insert and look up at once, without locks. A thread sees its own pairs
// from the moment they are inserted, those of others a little later.
class ObservedPairs {
 public:
  // Is (x, y) also (y, x)? For contexts within a window it is, and then each is stored only once.
  enum class Order { kOrdered, kUnordered };

  // Empty. `bytes`: memory to use at most, rounded down to a power of two, at least 64.
  // Throws std::bad_alloc.
  explicit ObservedPairs(int64_t bytes, Order order = Order::kOrdered);

  void insert(int32_t x, int32_t y);
  // The pairs (xs[i], ys[i]), i < count. Many at once are faster: see find_all().
  void insert(const int32_t* xs, const int32_t* ys, int64_t count);

  // observed[i] = 1 if (x, ys[i]) was inserted (or seems to be), otherwise 0, for i < count.
  void find(int32_t x, const int32_t* ys, int64_t count, uint8_t* observed) const;

  // Asks the caches for all that find() will read for the same arguments. Memory answers many
  // requests in the time of one, so ask well before reading.
  void prefetch(int32_t x, const int32_t* ys, int64_t count) const;

  // Both for rows × count pairs, observed[i · count + k] for (xs[i], ys[k]): asks for the words of
  // the next rows while it reads those of the row at hand.
  void find_all(const int32_t* xs, int64_t rows, const int32_t* ys, int64_t count,
                uint8_t* observed) const;

  // The probability that find() takes a pair that was never inserted for an observed one, 0 .. 1:
  // the mean over the words of (share of bits set)³, which is exact given the bits; of very large
  // filters only every n-th word is counted.
  double false_positive_rate() const;

  int64_t bytes() const;

 private:
  void insert_pair(uint64_t pair);

  std::unique_ptr<uint64_t[], Unmap> words_;
  int shift_;      // a pair's top 64 − shift_ bits name its word
  uint64_t salt_;  // tells the first of a pair from the second; 0 when they may change places
};

}  // namespace acevec
