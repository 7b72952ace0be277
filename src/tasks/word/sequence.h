// Turns ids into the tokens that are trained on, with the reach of each token's context.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "text/vocabulary.h"

namespace acevec {

// The tokens of a chunk that subsampling kept, lines one after the other. The context of token i is
// first[i] .. last[i] − 1 without i itself, which is always among them, and never leaves i's line.
// With contexts on one side only, a line's first or last token has an empty one.
struct Sequence {
  std::vector<int32_t> ids;
  std::vector<int32_t> first;
  std::vector<int32_t> last;
  std::vector<int32_t> rows;  // rows of the word matrix; empty: the ids

  const int32_t* word_rows() const { return rows.empty() ? ids.data() : rows.data(); }
  int64_t size() const { return static_cast<int64_t>(ids.size()); }
};

// On which side of a token its context lies.
enum class ContextSide { kBoth, kBefore, kAfter };

// How far contexts reach.
struct Reach {
  int64_t window;      // the most tokens to a side
  bool drawn = false;  // as far as each token draws, uniform in 1 .. window; else the window
  ContextSide side = ContextSide::kBoth;
};

// The probability that a token of a word with such a count is kept: min(1, √(t/f) + t/f), where f
// is the word's relative frequency and t = `sample` (0: always).
double keep_probability(const Vocabulary& vocabulary, double sample, int64_t count);

// Subsamples frequent words as word2vec does, and says how far contexts reach.
class SequenceMaker {
 public:
  // `sample`: of keep_probability().
  SequenceMaker(const Vocabulary& vocabulary, double sample, const Reach& reach);

  // `ids`: ids of words, with kLineEnd after each line. Lines of which fewer than two tokens are
  // kept have no pairs and are left out.
  void make(const std::vector<int32_t>& ids, Random& random, Sequence& sequence) const;

 private:
  size_t end_line(size_t start, size_t end, Random& random, Sequence& sequence) const;

  // A word is kept when 32 random bits are ≤ this: of the most frequent words, and of all others,
  // which are always kept. So the table stays in the first cache.
  std::vector<uint32_t> keep_below_;
  Reach reach_;
};

}  // namespace acevec
