#include "base/spelling.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace acevec {
namespace {

// Distances from one word to many. A column of the table of distances is kept as the bits of its
// differences, up and down, so that it takes a few instructions per byte of the other word (Myers
// 1999, as simplified by Hyyrö 2001). Upper and lower case of ASCII letters are the same.
class DistanceFrom {
 public:
  static constexpr size_t kBits = 64;

  // `word`: 1 .. kBits bytes.
  explicit DistanceFrom(std::string_view word) : word_(word) {
    for (size_t i = 0; i < word.size(); ++i) places_[folded(word[i])] |= bit(i);
  }

  size_t to(std::string_view other) const {
    uint64_t up = ~uint64_t{0};  // rows one above the row before; at first all
    uint64_t down = 0;           // one below
    size_t distance = word_.size();
    const uint64_t last = bit(word_.size() - 1);
    for (const char c : other) {
      const uint64_t equal = places_[folded(c)];
      const uint64_t across = (((equal & up) + up) ^ up) | equal;
      uint64_t right_up = down | ~(across | up);
      uint64_t right_down = up & across;
      distance += (right_up & last) != 0 ? 1 : 0;
      distance -= (right_down & last) != 0 ? 1 : 0;
      right_up = right_up << 1 | 1;
      right_down <<= 1;
      const uint64_t flat = equal | down;
      up = right_down | ~(flat | right_up);
      down = right_up & flat;
    }
    return distance;
  }

 private:
  static constexpr uint64_t bit(size_t i) { return uint64_t{1} << i; }
  static size_t folded(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 'A' && byte <= 'Z' ? size_t{byte} - 'A' + 'a' : byte;
  }

  std::string_view word_;
  std::array<uint64_t, 256> places_{};  // of each byte in the word
};

}  // namespace

std::vector<std::string> near_spellings(std::string_view word,
                                        const std::vector<std::string>& candidates, size_t most) {
  if (word.empty() || word.size() > DistanceFrom::kBits) return {};
  using Near = std::pair<size_t, const std::string*>;  // distance first
  const DistanceFrom distances(word);
  std::vector<Near> near;  // the nearest so far, nearest first
  for (const std::string& candidate : candidates) {
    const size_t longer = std::max(word.size(), candidate.size());
    const size_t least = longer - std::min(word.size(), candidate.size());  // whatever the letters
    const bool full = near.size() == most;
    if (2 * least >= longer || (full && (most == 0 || least >= near.back().first))) continue;
    const size_t distance = distances.to(candidate);
    if (2 * distance >= longer || (full && distance >= near.back().first)) continue;
    if (full) near.pop_back();
    const auto after =
        std::upper_bound(near.begin(), near.end(), distance,
                         [](size_t d, const Near& other) { return d < other.first; });
    near.insert(after, {distance, &candidate});
  }
  std::vector<std::string> result;
  result.reserve(near.size());
  for (const Near& other : near) result.push_back(*other.second);
  return result;
}

}  // namespace acevec
