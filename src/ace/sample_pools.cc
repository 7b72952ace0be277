#include "ace/sample_pools.h"

#include <algorithm>

namespace acevec {

SamplePools::SamplePools(int64_t conditions, int64_t samples, int64_t uses)
    : samples_(samples),
      uses_(uses),
      left_(static_cast<size_t>(conditions)),
      entries_(static_cast<size_t>(conditions * samples)) {}

void SamplePools::replace(int64_t x, const int32_t* outcomes, int64_t count, Random& random) {
  const int64_t start = count > 0 ? random.below(static_cast<uint32_t>(count)) : 0;
  for (int64_t m = 0; m < samples_ && count > 0; ++m) {
    entries_[static_cast<size_t>(x * samples_ + m)].store(outcomes[(start + m) % count],
                                                          std::memory_order_relaxed);
  }
  // Whoever sees draws left sees these outcomes.
  left_[static_cast<size_t>(x)].store(static_cast<int32_t>(count * uses_),
                                      std::memory_order_release);
}

int32_t SamplePools::draw(int64_t x, Random& random) {
  std::atomic<int32_t>& left = left_[static_cast<size_t>(x)];
  int32_t before = left.load(std::memory_order_acquire);
  // One step, not a load and a store: between them another thread may empty or replace the pool.
  do {
    if (before == 0) return -1;
  } while (!left.compare_exchange_weak(before, before - 1, std::memory_order_acquire));
  const int64_t m = random.below(static_cast<uint32_t>(samples_));
  return entries_[static_cast<size_t>(x * samples_ + m)].load(std::memory_order_relaxed);
}

// An atomic of this kind is its value and nothing else.
static_assert(sizeof(std::atomic<int32_t>) == sizeof(int32_t));

void SamplePools::save(CheckpointWriter& file) const {
  file.put_bytes("draws left", left_.data(), left_.size() * sizeof(int32_t));
  file.put_bytes("pools", entries_.data(), entries_.size() * sizeof(int32_t));
}

void SamplePools::load(int64_t outcomes, CheckpointReader& file) {
  file.get_bytes("draws left", left_.data(), left_.size() * sizeof(int32_t));
  file.get_bytes("pools", entries_.data(), entries_.size() * sizeof(int32_t));
  file.require("draws left", std::ranges::all_of(left_, [](int32_t left) { return left >= 0; }));
  file.require("pools", std::ranges::all_of(entries_, [&](int32_t outcome) {
                 return outcome >= 0 && outcome < outcomes;
               }));
}

void SamplePools::prefetch(int64_t x) const {
  __builtin_prefetch(&left_[static_cast<size_t>(x)]);
  constexpr int64_t kLine = 64 / sizeof(int32_t);
  for (int64_t m = 0; m < samples_; m += kLine) {
    __builtin_prefetch(&entries_[static_cast<size_t>(x * samples_ + m)]);
  }
}

}  // namespace acevec
