// Different ids of one step, numbered as they come.
#pragma once

#include <cstdint>
#include <vector>

namespace acevec {

// A hash table for as few ids as a step has, so that it stays in the first cache.
class Places {
 public:
  // At most `most` different ids at a time.
  explicit Places(int64_t most);

  // The id's place: that of its first time since clear(), or for a new id the next, from 0.
  int64_t place(int32_t id);

  const std::vector<int32_t>& ids() const { return ids_; }  // by place
  int64_t count() const { return static_cast<int64_t>(ids_.size()); }
  void clear();

 private:
  std::vector<int32_t> ids_;
  std::vector<int32_t> slots_;  // a place, or −1; a power of two, at least twice `most`
};

}  // namespace acevec
