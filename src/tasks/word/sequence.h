// Turns ids into the tokens to train on, with the range of each token's context.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "text/vocabulary.h"

namespace acevec {

// The tokens of a chunk that subsampling kept, line by line. The context of token i is
// first[i] .. last[i] − 1 except i itself, which is always in that range; it stays within i's line.
// A one-sided context is empty for a line's first or last token.
struct Sequence {
  std::vector<int32_t> ids;
  std::vector<int32_t> first;
  std::vector<int32_t> last;
  std::vector<int32_t> rows;  // rows of the word matrix; empty: the ids

  const int32_t* word_rows() const { return rows.empty() ? ids.data() : rows.data(); }
  int64_t size() const { return static_cast<int64_t>(ids.size()); }
};

// The side of a token on which its context lies.
enum class ContextSide { kBoth, kBefore, kAfter };

// The extent of contexts.
struct Reach {
  int64_t window;      // most tokens on a side
  bool drawn = false;  // each token draws its reach, uniform in 1 .. window; else the window
  ContextSide side = ContextSide::kBoth;
};

// Subsamples frequent words as word2vec does, and finds the range of each context. A token is kept
// with probability min(1, √(t/f) + t/f), where f is its word's relative frequency and t = `sample`
// (0: always kept).
class SequenceMaker {
 public:
  SequenceMaker(const Vocabulary& vocabulary, double sample, const Reach& reach);

  // `ids`: word ids, with kLineEnd after each line. Lines that keep fewer than two tokens have no
  // pairs and are left out.
  void make(const std::vector<int32_t>& ids, Random& random, Sequence& sequence) const;

 private:
  size_t end_line(size_t start, size_t end, Random& random, Sequence& sequence) const;

  // A token is kept if 32 random bits are ≤ its word's entry. Only the most frequent words have
  // entries; the last one is for all others, which are always kept. So the table fits in the L1
  // cache.
  std::vector<uint32_t> keep_below_;
  Reach reach_;
};

}  // namespace acevec
