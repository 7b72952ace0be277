// Samples drawn in advance: for each condition a pool of outcomes drawn from g(·|x), used until g
// is computed for it again. A softmax over all outcomes is expensive, a draw from a pool is not.
// Training on the same few samples many times would overfit them, so each sample has a limited
// number of uses.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "base/checkpoint_file.h"
#include "base/random.h"

namespace acevec {

// Threads may replace and draw at once: entries are atomic, each on its own, so that a draw gives
// an outcome of the old pool or of the new one.
class SamplePools {
 public:
  // Makes empty pools of `samples` outcomes for each condition. Each outcome that is put in is
  // drawn `uses` times on average; both at least one. Throws std::bad_alloc.
  SamplePools(int64_t conditions, int64_t samples, int64_t uses);

  int64_t samples() const { return samples_; }

  // The pool of x becomes `count` outcomes, at most samples(); fewer than samples() are repeated,
  // from a random one on, so that each is as likely to be drawn. None: the pool is empty again.
  void replace(int64_t x, const int32_t* outcomes, int64_t count, Random& random);

  // One of the pool's outcomes, −1 if it is empty or used up.
  int32_t draw(int64_t x, Random& random);

  // Prefetches the pool of x.
  void prefetch(int64_t x) const;

  // Must not be called while others draw or replace.
  void save(CheckpointWriter& file) const;
  void load(int64_t outcomes, CheckpointReader& file);  // ids below `outcomes`

 private:
  int64_t samples_, uses_;
  std::vector<std::atomic<int32_t>> left_;     // draws, of each condition
  std::vector<std::atomic<int32_t>> entries_;  // conditions × samples
};

}  // namespace acevec
