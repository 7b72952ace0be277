// Guesses of words' ids, by which the memory for many words is fetched at once.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "text/word_index.h"

namespace acevec {

class WordHints {
 public:
  static constexpr size_t kTogether = 32;  // words that are looked up at once, at most

  // The id that is guessed for words of this hash's first bits; 0 at first.
  uint32_t& of(uint64_t hash) { return ids_[hash >> (64 - kBits)]; }
  uint32_t of(uint64_t hash) const { return ids_[hash >> (64 - kBits)]; }

  // Writes the hash of each word and the id guessed for it, which may be wrong, or no id at all:
  // the caller compares owner.word(id). A hint, the word that it leads to, and the word's bytes
  // each wait for the one before; all words wait for the same of theirs at once.
  template <class Owner>
  void guess(const Owner& owner, size_t owner_size, std::span<const std::string_view> words,
             uint64_t* hashes, uint32_t* ids) const {
    for (size_t i = 0; i < words.size(); ++i) {
      hashes[i] = word_hash(words[i]);
      __builtin_prefetch(&ids_[hashes[i] >> (64 - kBits)]);
    }
    for (size_t i = 0; i < words.size(); ++i) {
      ids[i] = of(hashes[i]);
      if (ids[i] < owner_size) owner.prefetch(ids[i]);
    }
    for (size_t i = 0; i < words.size(); ++i) {
      if (ids[i] < owner_size) {
        __builtin_prefetch(owner.word(static_cast<int32_t>(ids[i])).data());
      }
    }
  }

  size_t bytes() const { return ids_.size() * sizeof(uint32_t); }

 private:
  static constexpr int kBits = 17;
  std::vector<uint32_t> ids_ = std::vector<uint32_t>(size_t{1} << kBits);
};

}  // namespace acevec
