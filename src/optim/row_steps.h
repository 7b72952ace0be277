// One step on each row of a shared matrix that a block touches, however often the row occurs there.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "optim/optimizer.h"

namespace acevec {

// Numbers the different ids of one step as they come. A hash table for few ids, so that it stays in
// the first cache.
class Places {
 public:
  // At most `most` different ids, from 0, at a time.
  explicit Places(int64_t most)
      : ids_(static_cast<size_t>(most)), slots_(slots_for(most), Slot{-1, 0}) {}

  // The id's place: that of its first time since clear(), or for a new id the next, from 0.
  int64_t place(int32_t id) {
    const size_t mask = slots_.size() - 1;
    for (size_t at = home(id);; ++at) {
      Slot& slot = slots_[at & mask];
      if (slot.id == id) return slot.place;
      if (slot.id >= 0) continue;
      slot = {id, static_cast<int32_t>(count_)};
      ids_[static_cast<size_t>(count_)] = id;
      return count_++;
    }
  }

  const int32_t* ids() const { return ids_.data(); }  // by place
  int64_t count() const { return count_; }

  void clear() {
    count_ = 0;
    std::memset(slots_.data(), 0xff, slots_.size() * sizeof(Slot));  // ids of −1
  }

 private:
  struct Slot {
    int32_t id;  // −1: none
    int32_t place;
  };

  static size_t home(int32_t id) {
    constexpr uint64_t kGolden = 0x9e3779b97f4a7c15;  // Knuth's multiplicative hashing
    return (static_cast<uint64_t>(id) * kGolden) >> 32;
  }

  // So many that few ids meet in one.
  static size_t slots_for(int64_t most) { return std::bit_ceil(3 * static_cast<size_t>(most)); }

  std::vector<int32_t> ids_;
  int64_t count_ = 0;
  std::vector<Slot> slots_;
};

// A frequent word's row may occur in a block many times. All its gradients are taken from one stale
// copy: as steps one by one, of which none knows of the others, they would overshoot, and Adam's
// moments too. As one step of their sum they are bounded by `max_step`.
//
// One object per thread.
class RowSteps {
 public:
  // `moments` belongs to `matrix` and the settings: see Optimizer. At most `most` rows in a block,
  // counted as often as they occur, and no step longer than `max_step`.
  RowSteps(Matrix& matrix, Matrix& moments, const OptimizerSettings& settings, int64_t most,
           float max_step);

  // Takes the step of the rows ids[i], i < count. `gradients`: of each occurrence, as wide as the
  // matrix's rows with their padding; overwritten. `values`: the copies of the rows that weight
  // decay needs, which are put into another order; null without.
  void take(const int32_t* ids, int64_t count, float* gradients, float* values = nullptr);

  // Asks the caches for the moments of rows whose step is soon.
  void prefetch(const int32_t* ids, int64_t count) const { optimizer_.prefetch(ids, count); }

  void set_rate(float rate) { optimizer_.set_rate(rate); }

 private:
  Matrix& matrix_;
  Optimizer optimizer_;
  float max_step_;
  std::vector<int32_t> ids_;
  Places places_;
};

}  // namespace acevec
