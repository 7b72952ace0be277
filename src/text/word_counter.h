// Tokens -> provisional ids, in the order in which words first appear, with counts.
#pragma once

#include <tsl/robin_map.h>

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace acevec {

// Counts words. Each thread that reads text has one of its own; ids are local to it.
class WordCounter {
 public:
  // Adds `times` sightings of `word` and returns its id.
  uint32_t add(std::string_view word, int64_t times = 1);

  // The word's id, or −1 when it was never added.
  int32_t find(std::string_view word) const;

  // Number of ids given out; ids are 0 .. size() − 1.
  size_t size() const { return words_.size(); }
  std::string_view word(size_t id) const { return words_[id]; }
  int64_t count(size_t id) const { return counts_[id]; }

 private:
  struct Hash {
    size_t operator()(std::string_view word) const;
  };

  std::string_view keep(std::string_view word);

  tsl::robin_map<std::string_view, uint32_t, Hash, std::equal_to<>,
                 std::allocator<std::pair<std::string_view, uint32_t>>, true>
      ids_;
  std::vector<std::string_view> words_;
  std::vector<int64_t> counts_;
  std::deque<std::string> arena_;  // where the words' bytes live; blocks never move
};

}  // namespace acevec
