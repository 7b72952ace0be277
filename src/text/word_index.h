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

// The same in every process.
inline uint64_t word_hash(std::string_view word) {
  return XXH3_64bits(word.data(), word.size());
}

// Words that are looked up at once, at most.
inline constexpr size_t kWordsTogether = 32;

// A hash table of ids alone, which are compared as their words, with linear probing: 8 bytes a
// place. The word of an id is what `owner->word(id)` has; find_all() also needs
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
  void add(int32_t id) { add(id, word_hash(owner_->word(id))); }
  void add(int32_t id, uint64_t hash) {
    reserve(words_ + 1);
    put({tag_of(hash), id});
    ++words_;
  }

  // The id of a word with that hash; −1: there is none.
  int32_t find(std::string_view word, uint64_t hash) const {
    if (places_.empty()) return -1;
    for (size_t at = tag_of(hash) & mask_; places_[at].id >= 0; at = (at + 1) & mask_) {
      const Place& place = places_[at];
      if (place.tag == tag_of(hash) && same(owner_->word(place.id), word)) return place.id;
    }
    return -1;
  }
  int32_t find(std::string_view word) const { return find(word, word_hash(word)); }

  // The same for at most kWordsTogether words, with their hashes. A place, the word that it leads
  // to, and the word's bytes each wait for the one before; all words wait for the same of theirs at
  // once.
  void find_all(std::span<const std::string_view> words, uint64_t* hashes, int32_t* ids) const {
    for (size_t i = 0; i < words.size(); ++i) {
      hashes[i] = word_hash(words[i]);
      __builtin_prefetch(places_.data() + (tag_of(hashes[i]) & mask_));
    }
    for (size_t i = 0; i < words.size(); ++i) {
      ids[i] = first_with(tag_of(hashes[i]));
      if (ids[i] >= 0) owner_->prefetch(ids[i]);
    }
    for (size_t i = 0; i < words.size(); ++i) {
      if (ids[i] >= 0) __builtin_prefetch(owner_->word(ids[i]).data());
    }
    for (size_t i = 0; i < words.size(); ++i) {
      // Another word may have the same tag, which is rare.
      if (ids[i] >= 0 && !same(owner_->word(ids[i]), words[i])) ids[i] = find(words[i], hashes[i]);
    }
  }

  // The bytes that it takes with so many words, or while it grows to hold them: it does so by
  // doubling, and both sizes are there meanwhile.
  size_t bytes_with(size_t words) const {
    if (words <= most_words(places_.size())) return places_.size() * sizeof(Place);
    return places_for(words) * sizeof(Place) * 3 / 2;
  }

 private:
  // A part of the hash, by which most other words are told apart and whose lowest bits are the
  // place where the search begins; and the id, −1 where the place is free.
  struct Place {
    uint32_t tag;
    int32_t id;
  };

  static uint32_t tag_of(uint64_t hash) { return static_cast<uint32_t>(hash); }

  // Two of three places may be taken: memory matters more than the last bit of speed.
  static size_t most_words(size_t places) { return places / 3 * 2; }
  static size_t places_for(size_t words) {
    size_t places = std::bit_ceil(std::max<size_t>(words, 8));
    while (most_words(places) < words) places *= 2;
    return places;
  }

  // A call of memcmp() takes longer than most words, of which two halves that may overlap are
  // compared at once.
  template <class Half>
  static bool same_ends(std::string_view a, std::string_view b) {
    const auto load = [](const char* at) {
      Half half;
      std::memcpy(&half, at, sizeof half);
      return half;
    };
    const size_t last = a.size() - sizeof(Half);
    return ((load(a.data()) ^ load(b.data())) | (load(a.data() + last) ^ load(b.data() + last))) ==
           0;
  }

  static bool same(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    if (a.size() > 16) return a == b;
    if (a.size() >= 8) return same_ends<uint64_t>(a, b);
    if (a.size() >= 4) return same_ends<uint32_t>(a, b);
    if (a.size() >= 2) return same_ends<uint16_t>(a, b);
    return a.empty() || a[0] == b[0];
  }

  int32_t first_with(uint32_t tag) const {
    if (places_.empty()) return -1;
    size_t at = tag & mask_;
    while (places_[at].id >= 0 && places_[at].tag != tag) at = (at + 1) & mask_;
    return places_[at].id;
  }

  void put(Place place) {
    size_t at = place.tag & mask_;
    while (places_[at].id >= 0) at = (at + 1) & mask_;
    places_[at] = place;
  }

  void grow(size_t places) {
    const std::vector<Place> old = std::exchange(places_, std::vector<Place>(places, {0, -1}));
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
