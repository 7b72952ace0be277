#include "optim/places.h"

#include <algorithm>
#include <bit>

namespace acevec {

Places::Places(int64_t most) : slots_(std::bit_ceil(2 * static_cast<size_t>(most)), -1) {
  ids_.reserve(static_cast<size_t>(most));
}

int64_t Places::place(int32_t id) {
  constexpr uint64_t kGolden = 0x9e3779b97f4a7c15;  // Knuth's multiplicative hashing
  const uint64_t hash = (static_cast<uint64_t>(id) * kGolden) >> 32;
  for (uint64_t slot = hash;; ++slot) {
    int32_t& at = slots_[slot & (slots_.size() - 1)];
    if (at < 0) {
      at = static_cast<int32_t>(ids_.size());
      ids_.push_back(id);
      return at;
    }
    if (ids_[static_cast<size_t>(at)] == id) return at;
  }
}

void Places::clear() {
  ids_.clear();
  std::fill(slots_.begin(), slots_.end(), -1);
}

}  // namespace acevec
