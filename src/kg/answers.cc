#include "kg/answers.h"

#include <algorithm>

namespace acevec {
namespace {

int64_t key_of(const Triple& triple, Side side) {
  return (static_cast<int64_t>(entity(triple, other(side))) << 32) | triple.relation;
}

std::vector<int64_t> keys_of(Side side, std::initializer_list<std::span<const Triple>> parts) {
  std::vector<int64_t> keys;
  for (const std::span<const Triple> part : parts) {
    for (const Triple& triple : part) keys.push_back(key_of(triple, side));
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

// Place of a key, or −1.
int32_t place_of(const std::vector<int64_t>& keys, int64_t key) {
  const auto place = std::lower_bound(keys.begin(), keys.end(), key);
  return place == keys.end() || *place != key ? -1 : static_cast<int32_t>(place - keys.begin());
}

ExactPairs pairs_of(Side side, const std::vector<int64_t>& keys,
                    std::initializer_list<std::span<const Triple>> parts) {
  std::vector<ObservedPair> pairs;
  for (const std::span<const Triple> part : parts) {
    for (const Triple& triple : part) {
      pairs.push_back({place_of(keys, key_of(triple, side)), entity(triple, side)});
    }
  }
  return {static_cast<int64_t>(keys.size()), pairs};
}

}  // namespace

Answers::Answers(Side side, std::initializer_list<std::span<const Triple>> parts)
    : side_(side), keys_(keys_of(side, parts)), pairs_(pairs_of(side, keys_, parts)) {}

std::span<const int32_t> Answers::of(const Triple& triple) const {
  const int32_t place = place_of(keys_, key_of(triple, side_));
  if (place < 0) return {};
  return pairs_.outcomes(place);
}

bool Answers::contains(const Triple& triple) const {
  const std::span<const int32_t> all = of(triple);
  return std::binary_search(all.begin(), all.end(), entity(triple, side_));
}

}  // namespace acevec
