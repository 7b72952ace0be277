// Pairs "specific -> general", read from a two-column table; their order, their transitive closure,
// and their split into training, development (for the threshold) and test pairs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "math/exact_pairs.h"
#include "text/vocabulary.h"

namespace acevec {

// `specific` is a kind or an instance of `general`.
struct OrderPair {
  int32_t specific;
  int32_t general;

  bool operator==(const OrderPair&) const = default;
  // clang-tidy 14 takes the 0 inside the generated comparison for a pointer.
  auto operator<=>(const OrderPair&) const = default;  // NOLINT(modernize-use-nullptr)
};

struct Hierarchy {
  Vocabulary concepts;           // sorted by descending number of pairs
  std::vector<OrderPair> lines;  // in file order; may repeat
};

// Reads lines "specific<TAB>general" from `path` ("-" is standard input), compressed or not. Names
// are converted by as_word(); empty lines are skipped. Throws Error, naming the line, unless it has
// two columns with different, nonempty names in UTF-8; and if pairs form a cycle or are missing.
Hierarchy read_hierarchy(const std::string& path);

// The hierarchy of `pairs`, whose ids are indices of `concepts`, with counts 0.
Hierarchy hierarchy_of(std::vector<WordCount> concepts, const std::vector<OrderPair>& pairs);

inline constexpr int64_t kFewPairs = 1000;  // of fewer, all are trained on and none held out

std::vector<OrderPair> unique_pairs(std::vector<OrderPair> pairs);  // sorted, without repeats

// The pairs, indexed by their specific or by their general concepts.
ExactPairs generals_of(int64_t concepts, const std::vector<OrderPair>& pairs);
ExactPairs specifics_of(int64_t concepts, const std::vector<OrderPair>& pairs);

// All concepts in topological order, generals first, without those in or below cycles. The
// arguments have the same pairs, indexed by either side.
std::vector<int32_t> topological_order(const ExactPairs& generals, const ExactPairs& specifics);

// A cycle a, b, .., a in which each concept is above the previous one; empty if there is none.
std::vector<int32_t> find_cycle(int64_t concepts, const std::vector<OrderPair>& pairs);

inline constexpr int64_t kMostImplied = 30'000'000;  // pairs; a chain of n concepts implies n²/2

// The sorted transitive closure of pairs that form no cycle; nothing if it has more than `most`.
std::optional<std::vector<OrderPair>> transitive_closure(int64_t concepts,
                                                         const std::vector<OrderPair>& pairs,
                                                         int64_t most = kMostImplied);

// The hierarchy with other pairs of its concepts, renumbered by descending number of pairs.
Hierarchy with_pairs(const Hierarchy& hierarchy, const std::vector<OrderPair>& pairs);

enum class SplitKind {
  kHonest,  // splits distinct pairs, and no negative is true
  kPaper,   // splits lines, with repeats, and negatives may be true (Vendrov et al. 2016, ace-2018)
};

// True pairs, and false ones with one side replaced.
struct LabelledPairs {
  std::vector<OrderPair> positives;
  std::vector<OrderPair> negatives;
};

struct Split {
  std::vector<OrderPair> train;
  LabelledPairs development;
  LabelledPairs test;
  std::vector<OrderPair> implied = {};  // the closure of `train`, if computed: no negatives

  const std::vector<OrderPair>& known() const { return implied.empty() ? train : implied; }
};

// The pair with a random concept on one side, the specific one with probability `specific_share`.
OrderPair corrupted(OrderPair pair, int64_t concepts, double specific_share, Random& random);

// Holds out `held_out` pairs for development and as many for the test; at least one pair must be
// left. The same seed gives the same split. Throws Error if no false pair is found at random.
Split split_pairs(const Hierarchy& hierarchy, SplitKind kind, int64_t held_out, uint64_t seed);

// Adds negatives that are not pairs of `hierarchy`. Throws Error as split_pairs() does.
LabelledPairs label_pairs(std::vector<OrderPair> pairs, const Hierarchy& hierarchy, uint64_t seed);

// The number of pairs of `some` that are also in `all_generals`.
int64_t count_shared(const std::vector<OrderPair>& some, const ExactPairs& all_generals);

}  // namespace acevec
