// The progress of a run, and the learning rate that depends on it. All threads share a clock.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace acevec {

// Falls linearly from `start` towards 0, and no lower than `end`.
struct Rate {
  double start = 0;
  double end = 0;
};

class Clock {
 public:
  // `total`: units of the whole run (tokens, pairs, triples), above 0.
  Clock(int64_t total, const Rate& rate) : total_(total), rate_(rate) {}

  // Called by workers as they learn, in the middle of pieces too.
  void advance(int64_t units) { done_ += units; }
  void set(int64_t done) { done_ = done; }

  int64_t done() const { return done_; }
  int64_t total() const { return total_; }
  double rate() const {
    const double left = 1 - static_cast<double>(done_) / static_cast<double>(total_);
    return std::max(rate_.end, rate_.start * left);
  }

 private:
  alignas(64) std::atomic<int64_t> done_{0};  // every thread writes it: a cache line of its own
  int64_t total_;
  Rate rate_;
};

}  // namespace acevec
