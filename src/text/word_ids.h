// Word ids: an index of ids, a counter that assigns ids to new words, and the ids of a text's
// tokens. Many words are looked up together, so that memory for one is fetched while others are
// compared.
#pragma once

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/token_store.h"
#include "text/tokenizer.h"

namespace acevec {

// The key of a word, the same in every process. The key of a word of up to seven bytes has its
// bytes, the first one lowest, and their number in the top byte. The key of a longer word is a part
// of its hash, so two long words may share a key.
using WordKey = uint64_t;
static_assert(std::endian::native == std::endian::little, "a word's first byte is its lowest");

inline constexpr size_t kShortWord = 7;  // bytes

inline bool is_of_long_word(WordKey key) {
  return key >> 8 * kShortWord > kShortWord;
}

// `readable`: the number of bytes that may be read from the start of the word. With eight or more,
// a short word is loaded at once.
inline WordKey word_key(std::string_view word, size_t readable = 0) {
  if (word.size() > kShortWord) {
    return WordKey{0xff} << 8 * kShortWord | XXH3_64bits(word.data(), word.size()) >> 8;
  }
  WordKey bytes = 0;
  if (readable >= sizeof bytes) {
    std::memcpy(&bytes, word.data(), sizeof bytes);
    bytes &= (WordKey{1} << 8 * word.size()) - 1;
  } else if (!word.empty()) {
    std::memcpy(&bytes, word.data(), word.size());
  }
  return bytes | WordKey{word.size()} << 8 * kShortWord;
}

// Returns a hash of a key; each of its bits depends on all bits of the key.
inline uint64_t word_hash(WordKey key) {
  constexpr uint64_t kOdd = 0x9e3779b97f4a7c15;  // 2⁶⁴ divided by the golden ratio
  key *= kOdd;
  key ^= key >> 32;
  key *= kOdd;
  return key ^ key >> 32;
}

struct KeyedWord {
  std::string_view word;
  WordKey key;  // its word_key()
};

// The maximum number of words that are looked up together.
inline constexpr size_t kWordsTogether = 32;

// A hash table of keys and ids with linear probing, of 12 bytes per slot. Long words of the same
// key are told apart by `owner->word(id)`; find_all() also needs `owner->prefetch(id)`, which
// prefetches the memory that word(id) reads. `owner` must outlive the index and must not move.
template <class Owner>
class WordIndex {
 public:
  explicit WordIndex(const Owner* owner) : owner_(owner) {}

  void reserve(size_t words) {
    if (words > most_words(places_.size())) grow(places_for(words));
  }

  // `owner` must have the id's word already, and the index must not. There may be fewer than 2³¹
  // ids.
  void add(int32_t id) { add(id, word_key(owner_->word(id))); }
  void add(int32_t id, WordKey key) {
    reserve(words_ + 1);
    put(Place(key, id));
    ++words_;
  }

  // Returns the id of a word, or −1.
  int32_t find(const KeyedWord& word) const {
    if (places_.empty()) return -1;
    for (size_t at = home(word.key); places_[at].id >= 0; at = next(at)) {
      if (places_[at].key() == word.key && same(places_[at].id, word)) return places_[at].id;
    }
    return -1;
  }
  int32_t find(std::string_view word) const { return find({word, word_key(word)}); }

  // Finds at most kWordsTogether words. The loads of a slot, of its word and of the word's bytes
  // depend on each other; each loop overlaps one of these loads for all words.
  void find_all(std::span<const KeyedWord> words, int32_t* ids) const {
    size_t unsure[kWordsTogether];  // long words whose keys were found
    size_t count = 0;
    for (const KeyedWord& word : words) __builtin_prefetch(places_.data() + home(word.key));
    for (size_t i = 0; i < words.size(); ++i) {
      ids[i] = first_with(words[i].key);
      unsure[count] = i;
      count += ids[i] >= 0 && is_of_long_word(words[i].key) ? 1 : 0;
    }
    for (size_t i = 0; i < count; ++i) owner_->prefetch(ids[unsure[i]]);
    for (size_t i = 0; i < count; ++i) __builtin_prefetch(owner_->word(ids[unsure[i]]).data());
    for (size_t i = 0; i < count; ++i) {
      int32_t& id = ids[unsure[i]];
      if (!same_long(owner_->word(id), words[unsure[i]].word)) id = find(words[unsure[i]]);
    }
  }

  // Returns the bytes of an index of `words` words, including growth to that size: it doubles, and
  // both tables exist meanwhile.
  size_t bytes_with(size_t words) const {
    if (words <= most_words(places_.size())) return places_.size() * sizeof(Place);
    return places_for(words) * sizeof(Place) * 3 / 2;
  }

 private:
  // The key in halves, so that a slot is not padded to 16 bytes; the id of a free slot is −1.
  struct Place {
    Place() = default;
    Place(WordKey key, int32_t its_id)
        : low(static_cast<uint32_t>(key)), high(static_cast<uint32_t>(key >> 32)), id(its_id) {}

    WordKey key() const { return WordKey{high} << 32 | low; }

    uint32_t low = 0, high = 0;
    int32_t id = -1;
  };

  // Two thirds of the slots may be taken: memory matters more than the last bit of speed.
  static size_t most_words(size_t places) { return places / 3 * 2; }
  static size_t places_for(size_t words) {
    size_t places = std::bit_ceil(std::max<size_t>(words, 8));
    while (most_words(places) < words) places *= 2;
    return places;
  }

  size_t home(WordKey key) const { return word_hash(key) & mask_; }
  size_t next(size_t at) const { return (at + 1) & mask_; }

  // Returns whether `word`, whose key this id has, is the id's word.
  bool same(int32_t id, const KeyedWord& word) const {
    return !is_of_long_word(word.key) || same_long(owner_->word(id), word.word);
  }

  // Compares two possibly overlapping halves of most words, since a call of memcmp() takes longer.
  static bool same_long(std::string_view a, std::string_view b) {
    if (a.size() != b.size() || a.size() > 16) return a == b;
    const auto load = [](const char* at) {
      uint64_t half;
      std::memcpy(&half, at, sizeof half);
      return half;
    };
    const size_t last = a.size() - sizeof(uint64_t);
    return ((load(a.data()) ^ load(b.data())) | (load(a.data() + last) ^ load(b.data() + last))) ==
           0;
  }

  int32_t first_with(WordKey key) const {
    if (places_.empty()) return -1;
    size_t at = home(key);
    while (places_[at].id >= 0 && places_[at].key() != key) at = next(at);
    return places_[at].id;
  }

  void put(Place place) {
    size_t at = home(place.key());
    while (places_[at].id >= 0) at = next(at);
    places_[at] = place;
  }

  void grow(size_t places) {
    const std::vector<Place> old = std::exchange(places_, std::vector<Place>(places));
    mask_ = places - 1;
    for (const Place& place : old) {
      if (place.id >= 0) put(place);
    }
  }

  const Owner* owner_;
  std::vector<Place> places_;  // size is a power of two
  size_t mask_ = 0;
  size_t words_ = 0;
};

// Returns an index of all words of `owner`, whose ids are 0 .. size − 1.
template <class Owner>
WordIndex<Owner> index_of(const Owner& owner) {
  WordIndex<Owner> index(&owner);
  index.reserve(static_cast<size_t>(owner.size()));
  for (int32_t id = 0; id < owner.size(); ++id) index.add(id);
  return index;
}

// Counts words and assigns ids in order of first appearance. Each thread that reads text has its
// own counter and ids.
class WordCounter {
 public:
  // Adds `times` occurrences of `word` and returns its id.
  uint32_t add(std::string_view word, int64_t times = 1);

  // Adds one occurrence of each of at most kWordsTogether words, in order; faster, since memory for
  // one word is fetched while others are looked up.
  void add_all(std::span<const KeyedWord> words, int32_t* ids);

  // The word's id, or −1 when it was never added.
  int32_t find(std::string_view word) const { return ids_.find(word); }

  // The number of ids, which are 0 .. size() − 1.
  size_t size() const { return words_->words.size(); }
  std::string_view word(size_t id) const { return words_->words[id]; }
  int64_t count(size_t id) const { return counts_[id]; }

  // The first 16 bits of the word's hash, by which words can be divided.
  uint16_t hash_prefix(size_t id) const { return hash_prefixes_[id]; }

  // Reserves memory for `words` words.
  void reserve(size_t words);

  // The maximum bytes of a word of usual length, including spare capacity.
  static constexpr int64_t kBytesPerWord = 125;

  // Returns whether `more` new words of usual length would take more than `bytes`, even if only
  // during growth.
  bool may_exceed(int64_t bytes, size_t more) const;

 private:
  // A separate object, which does not move with the counter, so that the index can refer to it.
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
  std::deque<std::string> arena_;  // the words' bytes; blocks do not move
  size_t arena_bytes_ = 0;
};

// Appends to `ids` the id of each token of `text`, and kLineEnd at each line end. look_up(words,
// found) writes the ids of at most kWordsTogether words.
template <class LookUp>
void append_ids(std::string_view text, TextReport& report, std::vector<int32_t>& ids,
                LookUp&& look_up) {
  KeyedWord tokens[kWordsTogether];
  size_t places[kWordsTogether];  // indices in ids
  size_t count = 0;
  const auto flush = [&] {
    int32_t found[kWordsTogether];
    look_up(std::span<const KeyedWord>(tokens, count), found);
    for (size_t i = 0; i < count; ++i) ids[places[i]] = found[i];
    count = 0;
  };
  // Returns 0 for a repaired token, which is not in `text`.
  const auto bytes_from = [&](std::string_view token) {
    const char* const end = text.data() + text.size();
    const std::less<> before;
    const bool inside = !before(token.data(), text.data()) && before(token.data(), end);
    return inside ? static_cast<size_t>(end - token.data()) : 0;
  };
  split_tokens(
      text, report,
      [&](std::string_view token) {
        const size_t readable = bytes_from(token);
        tokens[count] = {token, word_key(token, readable)};
        places[count] = ids.size();
        ids.push_back(0);
        // A repaired token is only valid during this call.
        if (++count == kWordsTogether || readable == 0) flush();
      },
      [&] { ids.push_back(kLineEnd); });
  flush();
}

}  // namespace acevec
