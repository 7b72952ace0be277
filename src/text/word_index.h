// Looks up the ids of words that are kept elsewhere.
#pragma once

#include <tsl/robin_set.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstdint>
#include <memory>
#include <string_view>

namespace acevec {

// The same in every process.
inline uint64_t hash_of(std::string_view word) {
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
    return hash_of(this->word(key));
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
    ids_.max_load_factor(0.7F);  // memory matters more than the last bit of speed
  }

  void reserve(size_t words) { ids_.reserve(words); }

  // `owner` has its word already, which must not be in the index yet.
  void add(uint32_t id) { ids_.insert(id); }

  // The id of a word with that hash; −1: there is none.
  int32_t find(std::string_view word, uint64_t hash) const {
    const auto found = ids_.find(word, hash);
    return found == ids_.end() ? -1 : static_cast<int32_t>(*found);
  }
  int32_t find(std::string_view word) const { return find(word, hash_of(word)); }

  // True when one more word makes it grow, which it does by doubling.
  bool grows_beyond(size_t words) const {
    return static_cast<float>(words) >=
           static_cast<float>(ids_.bucket_count()) * ids_.max_load_factor();
  }
  size_t bytes() const { return ids_.bucket_count() * 12; }

 private:
  tsl::robin_set<uint32_t, WordHash<Owner>, SameWord<Owner>, std::allocator<uint32_t>, true> ids_;
};

}  // namespace acevec
