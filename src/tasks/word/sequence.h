// Ids -> the tokens that are trained on, and how far the context of each one reaches.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "text/vocabulary.h"

namespace acevec {

// The tokens of a chunk that subsampling kept, lines one after the other. The context of token i is
// first[i] .. last[i] − 1 without i itself, which is always among them, and never leaves i's line.
// With contexts on one side that of a line's first or last token is empty.
struct Sequence {
  std::vector<int32_t> ids;
  std::vector<int32_t> first;
  std::vector<int32_t> last;
  std::vector<int32_t> rows;  // of the matrix of words, where these are not the ids

  const int32_t* word_rows() const { return rows.empty() ? ids.data() : rows.data(); }
  int64_t size() const { return static_cast<int64_t>(ids.size()); }
};

// So many neighbouring tokens of a line have contexts of the same reach with skip-gram. word2vec
// draws one for each token: then a processor mispredicts the length of most contexts
// (docs/experiments/block-trainer.md). CBOW, whose time does not depend on it, does as word2vec.
inline constexpr int64_t kTokensOfReach = 8;

// On which side of a token its context lies.
enum class ContextSide { kBoth, kBefore, kAfter };

// How far contexts reach.
struct Reach {
  int64_t window;                           // the most tokens to a side
  int64_t tokens_at_once = kTokensOfReach;  // so many tokens of a line share a draw
  ContextSide side = ContextSide::kBoth;
};

// Subsamples frequent words as word2vec does, and draws context sizes.
class SequenceMaker {
 public:
  // A word of relative frequency f is kept with probability min(1, √(t/f) + t/f), t = `sample`
  // (0: always); a token's context reaches b words to its side or sides, b uniform in 1 .. window.
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
