// Tokens -> provisional ids, in the order in which words first appear, with counts.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/word_index.h"

namespace acevec {

// Counts words. Each thread that reads text has one of its own; ids are local to it.
class WordCounter {
 public:
  // Adds `times` sightings of `word` and returns its id.
  uint32_t add(std::string_view word, int64_t times = 1);

  // The same for at most kWordsTogether words, one after the other, each seen once; faster, since
  // the memory for one is fetched while others are looked up.
  void add_all(std::span<const KeyedWord> words, int32_t* ids);

  // The word's id, or −1 when it was never added.
  int32_t find(std::string_view word) const { return ids_.find(word); }

  // Number of ids given out; ids are 0 .. size() − 1.
  size_t size() const { return words_->words.size(); }
  std::string_view word(size_t id) const { return words_->words[id]; }
  int64_t count(size_t id) const { return counts_[id]; }

  // The first 16 bits of the word's hash, by which words can be spread.
  uint16_t hash_prefix(size_t id) const { return hash_prefixes_[id]; }

  // Makes room for so many words.
  void reserve(size_t words);

  // Bytes that a word of usual length takes, at most: with the room that is left to grow.
  static constexpr int64_t kBytesPerWord = 125;

  // True when `more` new words of usual length would bring the memory above `bytes`, if only while
  // it grows.
  bool may_exceed(int64_t bytes, size_t more) const;

 private:
  // Does not move when the counter does, so that the index can refer to it.
  struct Words {
    std::string_view word(int32_t id) const { return words[static_cast<size_t>(id)]; }
    void prefetch(int32_t id) const { __builtin_prefetch(words.data() + id); }
    std::vector<std::string_view> words;
  };

  uint32_t find_or_add(const KeyedWord& word);
  std::string_view keep(std::string_view word);

  std::unique_ptr<Words> words_ = std::make_unique<Words>();
  WordIndex<Words> ids_{words_.get()};
  std::vector<int64_t> counts_;
  std::vector<uint16_t> hash_prefixes_;
  std::deque<std::string> arena_;  // where the words' bytes live; blocks never move
  size_t arena_bytes_ = 0;
};

}  // namespace acevec
