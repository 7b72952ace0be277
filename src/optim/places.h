// Different ids of one step, numbered as they come.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

namespace acevec {

// A hash table for as few ids as a step has, so that it stays in the first cache. It is asked for
// every row of every block of words: hence here and not in a file of its own.
class Places {
 public:
  // At most `most` different ids, from 0, at a time.
  explicit Places(int64_t most)
      : ids_(static_cast<size_t>(most)), slots_(slots_for(most), Slot{-1, 0}) {}

  // What such a table needs.
  static int64_t bytes(int64_t most) {
    return most * static_cast<int64_t>(sizeof(int32_t)) +
           static_cast<int64_t>(slots_for(most) * sizeof(Slot));
  }

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

}  // namespace acevec
