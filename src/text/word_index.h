// Looks up the ids of words that are kept elsewhere.
#pragma once

#include <tsl/robin_set.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <bit>
#include <cstdint>
#include <memory>
#include <string_view>

namespace acevec {

// The same in every process.
inline uint64_t word_hash(std::string_view word) {
  return XXH3_64bits(word.data(), word.size());
}

// The word of an id is what `owner->word(id)` has.
template <class Owner>
struct WordOf {
  using is_transparent = void;

  std::string_view word(uint32_t id) const { return owner->word(static_cast<int32_t>(id)); }
  static std::string_view word(std::string_view word) { return word; }

  const Owner* owner;
};

template <class Owner>
struct WordHash : WordOf<Owner> {
  template <class Key>
  size_t operator()(const Key& key) const {
    return word_hash(this->word(key));
  }
};

template <class Owner>
struct SameWord : WordOf<Owner> {
  template <class A, class B>
  bool operator()(const A& a, const B& b) const {
    return this->word(a) == this->word(b);
  }
};

// Holds ids alone, which are hashed and compared as their words: 12 bytes a place.
// `owner` must outlive the index, and stay where it is.
template <class Owner>
class WordIndex {
 public:
  explicit WordIndex(const Owner* owner)
      : ids_(0, WordHash<Owner>{{owner}}, SameWord<Owner>{{owner}}) {
    ids_.max_load_factor(kFullest);
  }

  void reserve(size_t words) { ids_.reserve(words); }

  // `owner` has its word already, which must not be in the index yet.
  void add(uint32_t id) { ids_.insert(id); }

  // The id of a word with that hash; −1: there is none.
  int32_t find(std::string_view word, uint64_t hash) const {
    const auto found = ids_.find(word, hash);
    return found == ids_.end() ? -1 : static_cast<int32_t>(*found);
  }
  int32_t find(std::string_view word) const { return find(word, word_hash(word)); }

  // The bytes that it takes with so many words, or while it grows to hold them: it does so by
  // doubling, and both sizes are there meanwhile.
  size_t bytes_with(size_t words) const {
    const auto places = static_cast<size_t>(static_cast<float>(words) / kFullest) + 1;
    if (places <= ids_.bucket_count()) return ids_.bucket_count() * kPlaceBytes;
    return std::bit_ceil(places) * kPlaceBytes * 3 / 2;
  }

 private:
  static constexpr float kFullest = 0.7F;  // memory matters more than the last bit of speed
  static constexpr size_t kPlaceBytes = 12;

  tsl::robin_set<uint32_t, WordHash<Owner>, SameWord<Owner>, std::allocator<uint32_t>, true> ids_;
};

}  // namespace acevec
