// Collocations: words that follow each other more often than by chance, joined into one as in
// word2phrase (Mikolov et al. 2013, Distributed Representations of Words and Phrases). One or two
// connecting words may be between two words, as in bank of england (gensim's connector_words).
#pragma once

#include <tsl/robin_map.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/corpus.h"
#include "text/vocabulary.h"
#include "text/word_ids.h"

namespace acevec {

// The words `first` and `second`, and the number that encodes the connecting words between them; 0:
// none.
struct WordPair {
  int32_t first, second, between = 0;
};

// Bits of a key.
inline constexpr int kWordBits = 27;     // for each word
inline constexpr int kBetweenBits = 10;  // for the connecting words

// Encodes a pair as one number, and decodes it.
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

  // `connectors`, at most kMostConnectors, only occur inside phrases; tokens without a letter or
  // digit are in no phrase. Throws Error when there are more words than keys can distinguish.
  PairRules(const Vocabulary& words, std::vector<std::string> connectors);

  // A pair in a line, and the index of its second word.
  struct Found {
    WordPair pair;
    size_t last;
  };
  // Returns the pair that begins at ids[at], if any; `ids` may contain kLineEnd.
  std::optional<Found> at(const std::vector<int32_t>& ids, size_t at) const;

  // Returns the connecting words that `number` encodes.
  std::vector<std::string_view> between(int32_t number) const;

 private:
  static constexpr uint8_t kWord = 0, kNothing = 255;  // others: number of a connector, from 1

  uint8_t kind(int32_t id) const {
    return static_cast<size_t>(id) < kinds_.size() ? kinds_[static_cast<size_t>(id)] : kWord;
  }

  std::vector<std::string> connectors_;
  std::vector<uint8_t> kinds_;  // kinds of the text's words; phrases have kWord
};

// Mixes the bits of a pair (the finalizer of splitmix64).
struct PairHash {
  size_t operator()(uint64_t key) const {
    key = (key ^ (key >> 30)) * 0xbf58476d1ce4e5b9;
    key = (key ^ (key >> 27)) * 0x94d049bb133111eb;
    return key ^ (key >> 31);
  }
};

// Joins given pairs of words in a text.
class Joiner {
 public:
  // From now on the pair, including its connecting words, becomes `joined`.
  void add(const WordPair& pair, int32_t joined);

  // Joins pairs in `ids`, which may contain kLineEnd, from left to right: a word joined to the
  // previous one is not joined to the next one too. Returns the number of joins.
  int64_t join(const PairRules& rules, std::vector<int32_t>& ids) const;

 private:
  // The words with which pairs begin, and end: most words of a text need no other lookup.
  std::vector<bool> starts_, ends_;
  tsl::robin_map<uint64_t, int32_t, PairHash> joined_;
};

// Counts of pairs in one scan of a text. Pairs are divided into kTables tables by their hashes; a
// scan counts those of the tables first .. last() − 1. When memory runs out, the last table is
// emptied and left to the next scan, so counts are exact however little memory there is. Safe to
// use from several threads.
class PairTables {
 public:
  static constexpr int kTables = 256;

  // `most_bytes`: memory of the tables. One table is kept however large it grows.
  PairTables(int first, int64_t most_bytes);

  static int table_of(uint64_t pair) { return static_cast<int>(PairHash()(pair) >> 56); }

  bool wants(int table) const { return table >= first_ && table < last_; }

  // Counts each of `pairs`, all of `table`, once. Does nothing for an unwanted table.
  void add(int table, const std::vector<uint64_t>& pairs);

  // After the scan: one past the last table that was counted.
  int last() const { return last_; }

  // Calls visit(pair, count) for all counted pairs.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (int table = first_; table < last_; ++table) {
      for (const auto& [pair, count] : tables_[static_cast<size_t>(table)].counts) {
        visit(pair, count);
      }
    }
  }

 private:
  // The low bits of the hash choose the slot in a table, the high bits the table.
  using Counts = tsl::robin_map<uint64_t, int64_t, PairHash>;
  struct Table {
    std::mutex mutex;
    Counts counts;
  };

  void empty_last();

  int first_;
  int64_t most_bytes_;
  std::atomic<int> last_{kTables};
  std::atomic<int64_t> bytes_{0};
  std::mutex emptying_;
  std::array<Table, kTables> tables_;
};

struct PhraseSettings {
  double threshold = 100;  // ≥ 0
  int64_t min_count = 5;   // ≥ 1
  int passes = 1;
  std::string delimiter = "_";
  int64_t most_bytes = int64_t{1} << 30;  // memory for counts of pairs
  int threads = 1;
  std::vector<std::string> connectors;  // words that only occur inside phrases; at most 31
};

struct Phrase {
  WordPair pair;
  int64_t count;
  double score;
};

// The result of one pass over the text.
struct PhrasePass {
  std::vector<Phrase> phrases;  // highest score first
  int64_t pairs = 0;            // number of distinct pairs counted
  int scans = 0;                // scans of the text needed to count them
};

class Phrases {
 public:
  // Finds phrases: pairs (a, b) within a line (PairRules) with
  //   score = (count(a b) − min_count) / (count(a) count(b)) · tokens > threshold.
  // Each further pass repeats this on the text as joined so far, so that N passes find phrases of
  // up to 2^N words. `corpus` must have all words of the text, and outlive this object. Lines
  // longer than a chunk are treated as several. `on_pass` is called after each pass with its
  // number, from 1.
  Phrases(const Corpus& corpus, const PhraseSettings& settings,
          const std::function<void(int pass, const PhrasePass&)>& on_pass);

  // Returns a chunk of the text with all phrases joined: tokens separated by spaces, and line ends.
  // Sets `joined` to the number of joins. Safe to call from several threads.
  std::string text(int64_t chunk, int64_t& joined) const;

  const std::vector<PhrasePass>& passes() const { return passes_; }
  std::string spelling(const Phrase& phrase) const;

 private:
  int64_t read(int64_t chunk, std::vector<int32_t>& ids) const;
  std::vector<int64_t> count_words() const;
  PhrasePass find(const std::vector<int64_t>& counts) const;

  const Corpus& corpus_;
  PhraseSettings settings_;
  PairRules rules_;
  WordCounter words_;  // the corpus's words with its ids, then phrases
  std::vector<Joiner> joiners_;
  std::vector<PhrasePass> passes_;
};

}  // namespace acevec
