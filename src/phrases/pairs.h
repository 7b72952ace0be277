// Which words of a line may be joined: two that follow each other, also with one or two connecting
// words between them, as in bank of england (gensim has these as connector_words).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace acevec {

// The words `first` and `second`, and the number of what stands between them, 0 for nothing.
struct WordPair {
  int32_t first, second, between = 0;
};

inline constexpr int kWordBits = 27;     // of a word in a key
inline constexpr int kBetweenBits = 10;  // of what is between

// A pair as one number.
inline uint64_t pair_key(const WordPair& pair) {
  return (uint64_t{static_cast<uint32_t>(pair.between)} << kWordBits |
          static_cast<uint32_t>(pair.first))
             << kWordBits |
         static_cast<uint32_t>(pair.second);
}
inline WordPair pair_of(uint64_t key) {
  constexpr uint64_t kWord = (uint64_t{1} << kWordBits) - 1;
  return {static_cast<int32_t>(key >> kWordBits & kWord), static_cast<int32_t>(key & kWord),
          static_cast<int32_t>(key >> 2 * kWordBits)};
}

class PairRules {
 public:
  static constexpr size_t kMostConnectors = 31;

  // Of words by their ids. `connectors`, at most kMostConnectors, are only inside phrases; what has
  // no letter and no digit is nowhere. Throws Error when there are more words than keys tell apart.
  template <class WordOf>
  PairRules(int64_t words, const WordOf& word_of, std::vector<std::string> connectors)
      : connectors_(std::move(connectors)) {
    require_words(words);
    kinds_.reserve(static_cast<size_t>(words));
    for (int64_t id = 0; id < words; ++id) kinds_.push_back(kind_of(word_of(id)));
  }

  // A pair in a line, and where its second word stands.
  struct Found {
    WordPair pair;
    size_t last;
  };
  // The one that begins at ids[at], if there is one; `ids` may hold kLineEnd.
  std::optional<Found> at(const std::vector<int32_t>& ids, size_t at) const;

  // The connecting words of that number.
  std::vector<std::string_view> between(int32_t number) const;

 private:
  static constexpr uint8_t kWord = 0, kNothing = 255;  // others: the number of a connector, from 1

  static void require_words(int64_t words);
  uint8_t kind_of(std::string_view word) const;
  uint8_t kind(int32_t id) const {
    return static_cast<size_t>(id) < kinds_.size() ? kinds_[static_cast<size_t>(id)] : kWord;
  }

  std::vector<std::string> connectors_;
  std::vector<uint8_t> kinds_;  // of the words of the text; phrases are words
};

}  // namespace acevec
