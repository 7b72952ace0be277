// Pairs "specific -> general", read from a table of two columns, their order, what they imply, and
// their split into training, development (for the threshold) and test.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "math/exact_pairs.h"
#include "text/vocabulary.h"

namespace acevec {

// `specific` is a kind, or an instance, of `general`.
struct OrderPair {
  int32_t specific;
  int32_t general;

  bool operator==(const OrderPair&) const = default;
  // clang-tidy 14 takes the 0 inside the generated comparison for a pointer.
  auto operator<=>(const OrderPair&) const = default;  // NOLINT(modernize-use-nullptr)
};

struct Hierarchy {
  Vocabulary concepts;           // by descending number of pairs
  std::vector<OrderPair> lines;  // in the order of the file; a pair may stand there twice
};

// Reads lines "specific<TAB>general" from `path` ("-" is standard input), packed or not. Names
// become those of files of vectors (as_word()); empty lines are left out.
// Throws Error, naming the line, on lines of other than two columns, empty names, names that are
// not UTF-8 and pairs of a concept with itself; on pairs that run in a circle; on no pairs at all.
Hierarchy read_hierarchy(const std::string& path);

// The hierarchy of `pairs`, whose ids are places in `concepts`; the counts of these are 0.
Hierarchy hierarchy_of(std::vector<WordCount> concepts, const std::vector<OrderPair>& pairs);

// Fewer pairs than this are few: all are learned from, none held out.
inline constexpr int64_t kFewPairs = 1000;

// The pairs in order, each once.
std::vector<OrderPair> unique_pairs(std::vector<OrderPair> pairs);

// The pairs by their specific concepts, or by their general ones.
ExactPairs generals_of(int64_t concepts, const std::vector<OrderPair>& pairs);
ExactPairs specifics_of(int64_t concepts, const std::vector<OrderPair>& pairs);

// All concepts, each after those above it, without those in circles and below these. Both have the
// same pairs, by either side.
std::vector<int32_t> generals_first(const ExactPairs& generals, const ExactPairs& specifics);

// A circle a, b, .., a of concepts each above the one before it, or nothing when the pairs are an
// order.
std::vector<int32_t> find_circle(int64_t concepts, const std::vector<OrderPair>& pairs);

// The most pairs that are looked for: a chain of n concepts implies n²/2.
inline constexpr int64_t kMostImplied = 30'000'000;

// The pairs and all that follows from them, each once, in order; nothing when that is more than
// `most`. The pairs must not run in a circle.
std::optional<std::vector<OrderPair>> transitive_closure(int64_t concepts,
                                                         const std::vector<OrderPair>& pairs,
                                                         int64_t most = kMostImplied);

// The hierarchy with other pairs of its concepts, which are numbered anew, by descending number of
// pairs.
Hierarchy with_pairs(const Hierarchy& hierarchy, const std::vector<OrderPair>& pairs);

enum class SplitKind {
  kHonest,  // the different pairs are dealt out, and no negative is true
  kPaper,   // the lines of the file are, so that a pair that stands there twice may be learned and
            // tested; a negative may happen to be true (Vendrov et al. 2016, ace-2018)
};

// True pairs, and false ones made of these by replacing a side.
struct LabelledPairs {
  std::vector<OrderPair> positives;
  std::vector<OrderPair> negatives;
};

struct Split {
  std::vector<OrderPair> train;
  LabelledPairs development;
  LabelledPairs test;
  // `train` and what follows from it, where that is wanted: no negative may be among these.
  std::vector<OrderPair> implied = {};

  const std::vector<OrderPair>& known() const { return implied.empty() ? train : implied; }
};

// The pair with one side replaced by any concept: the specific one with probability
// `specific_share`.
OrderPair corrupted(OrderPair pair, int64_t concepts, double specific_share, Random& random);

// Holds `held_out` pairs out for development and as many for the test; at least one pair must be
// left. The same seed gives the same split. Throws Error when chance finds no false pair.
Split split_pairs(const Hierarchy& hierarchy, SplitKind kind, int64_t held_out, uint64_t seed);

// The pairs with negatives that are not among `hierarchy`'s. Throws
// Error as above.
LabelledPairs label_pairs(std::vector<OrderPair> pairs, const Hierarchy& hierarchy, uint64_t seed);

// How many of the pairs of `some` are among `all` too.
int64_t count_shared(const std::vector<OrderPair>& some, const ExactPairs& all_generals);

}  // namespace acevec
