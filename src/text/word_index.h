// Looks up the ids of words that are kept elsewhere.
#pragma once

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace acevec {

// What words are told apart by; the same in every process. A word of up to seven bytes is its own
// key: its bytes, the first one lowest, and their number above them. A longer word's key is a part
// of its hash, so two of them may share one.
using WordKey = uint64_t;
static_assert(std::endian::native == std::endian::little, "a word's first byte is its lowest");

inline constexpr size_t kShortWord = 7;  // bytes

inline bool is_of_long_word(WordKey key) {
  return key >> 8 * kShortWord > kShortWord;
}

// `readable`: how many bytes can be read from the word's first one on, at least its own. If eight,
// a short word is read at once.
inline WordKey word_key(std::string_view word, size_t readable) {
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
inline WordKey word_key(std::string_view word) {
  return word_key(word, word.size());
}

// Of a key: all of its bits depend on all of the key's.
inline uint64_t word_hash(WordKey key) {
  constexpr uint64_t kOdd = 0x9e3779b97f4a7c15;  // 2⁶⁴ by the golden ratio
  key *= kOdd;
  key ^= key >> 32;
  key *= kOdd;
  return key ^ key >> 32;
}

struct KeyedWord {
  std::string_view word;
  WordKey key;  // its word_key()
};

// Words that are looked up at once, at most.
inline constexpr size_t kWordsTogether = 32;

// A hash table of keys and ids with linear probing: 12 bytes a place. Long words of the same key
// are told apart by `owner->word(id)`, the word of an id; find_all() also needs
// `owner->prefetch(id)`, which asks the caches for what word(id) reads. `owner` must outlive the
// index, and stay where it is.
template <class Owner>
class WordIndex {
 public:
  explicit WordIndex(const Owner* owner) : owner_(owner) {}

  void reserve(size_t words) {
    if (words > most_words(places_.size())) grow(places_for(words));
  }

  // `owner` has its word already, which must not be in the index yet. Fewer than 2³¹ ids.
  void add(int32_t id) { add(id, word_key(owner_->word(id))); }
  void add(int32_t id, WordKey key) {
    reserve(words_ + 1);
    put(Place(key, id));
    ++words_;
  }

  // The id of a word; −1: there is none.
  int32_t find(const KeyedWord& word) const {
    if (places_.empty()) return -1;
    for (size_t at = home(word.key); places_[at].id >= 0; at = next(at)) {
      if (places_[at].key() == word.key && same(places_[at].id, word)) return places_[at].id;
    }
    return -1;
  }
  int32_t find(std::string_view word) const { return find({word, word_key(word)}); }

  // The same for at most kWordsTogether words. A place, the word that it leads to, and the word's
  // bytes each wait for the one before; all words wait for the same of theirs at once.
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

  // The bytes that it takes with so many words, or while it grows to hold them: it does so by
  // doubling, and both sizes are there meanwhile.
  size_t bytes_with(size_t words) const {
    if (words <= most_words(places_.size())) return places_.size() * sizeof(Place);
    return places_for(words) * sizeof(Place) * 3 / 2;
  }

 private:
  // The key in halves, which keep a place from being padded to 16 bytes; the id is −1 where the
  // place is free.
  struct Place {
    Place() = default;
    Place(WordKey key, int32_t its_id)
        : low(static_cast<uint32_t>(key)), high(static_cast<uint32_t>(key >> 32)), id(its_id) {}

    WordKey key() const { return WordKey{high} << 32 | low; }

    uint32_t low = 0, high = 0;
    int32_t id = -1;
  };

  // Two of three places may be taken: memory matters more than the last bit of speed.
  static size_t most_words(size_t places) { return places / 3 * 2; }
  static size_t places_for(size_t words) {
    size_t places = std::bit_ceil(std::max<size_t>(words, 8));
    while (most_words(places) < words) places *= 2;
    return places;
  }

  size_t home(WordKey key) const { return word_hash(key) & mask_; }
  size_t next(size_t at) const { return (at + 1) & mask_; }

  // Whether a word of the same key is that of the id.
  bool same(int32_t id, const KeyedWord& word) const {
    return !is_of_long_word(word.key) || same_long(owner_->word(id), word.word);
  }

  // A call of memcmp() takes longer than most words, of which two halves that may overlap are
  // compared at once.
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
  std::vector<Place> places_;  // a power of two
  size_t mask_ = 0;
  size_t words_ = 0;
};

// The ids 0 .. size − 1 of all words that `owner` has.
template <class Owner>
WordIndex<Owner> index_of(const Owner& owner) {
  WordIndex<Owner> index(&owner);
  index.reserve(static_cast<size_t>(owner.size()));
  for (int32_t id = 0; id < owner.size(); ++id) index.add(id);
  return index;
}

}  // namespace acevec
