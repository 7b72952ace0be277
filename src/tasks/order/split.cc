#include "tasks/order/split.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/error.h"

namespace acevec {
namespace {

// Negatives for `positives`, none of them in `refused` unless that is null. A pair has none when
// all that is made of it is true, as the ends of a chain.
std::vector<OrderPair> negatives_for(const std::vector<OrderPair>& positives, int64_t concepts,
                                     const ExactPairs* refused, Random& random) {
  constexpr int kTries = 10000;
  const auto false_pair = [&](const OrderPair& positive) -> std::optional<OrderPair> {
    for (int i = 0; i < kTries; ++i) {
      const OrderPair pair = corrupted(positive, concepts, 0.5, random);
      if (pair.specific == pair.general) continue;
      if (refused == nullptr || !refused->contains(pair.specific, pair.general)) return pair;
    }
    return std::nullopt;
  };
  std::vector<OrderPair> negatives;
  negatives.reserve(positives.size());
  for (const OrderPair& positive : positives) {
    if (const auto pair = false_pair(positive)) negatives.push_back(*pair);
  }
  if (negatives.empty() && !positives.empty()) {
    throw Error(
        "nearly every pair of concepts is true, so there are no false pairs to choose a threshold "
        "with; give a hierarchy with more branches");
  }
  return negatives;
}

}  // namespace

OrderPair corrupted(OrderPair pair, int64_t concepts, double specific_share, Random& random) {
  const auto any = static_cast<int32_t>(random.below(static_cast<uint32_t>(concepts)));
  if (double{random.uniform()} < specific_share) {
    pair.specific = any;
  } else {
    pair.general = any;
  }
  return pair;
}

Split split_pairs(const Hierarchy& hierarchy, SplitKind kind, int64_t held_out, uint64_t seed) {
  Random random(seed, Stream::kOrderSplit);
  const bool honest = kind == SplitKind::kHonest;
  Split split;
  split.train = honest ? unique_pairs(hierarchy.lines) : hierarchy.lines;
  const int64_t concepts = hierarchy.concepts.size();
  const ExactPairs all = generals_of(concepts, split.train);
  // What is drawn leaves a hole that the last pair fills; training shuffles anyway.
  for (LabelledPairs* const part : {&split.test, &split.development}) {
    for (int64_t i = 0; i < held_out; ++i) {
      const auto chosen = random.below(static_cast<uint32_t>(split.train.size()));
      part->positives.push_back(split.train[chosen]);
      split.train[chosen] = split.train.back();
      split.train.pop_back();
    }
    part->negatives = negatives_for(part->positives, concepts, honest ? &all : nullptr, random);
  }
  return split;
}

LabelledPairs label_pairs(std::vector<OrderPair> pairs, const Hierarchy& hierarchy, uint64_t seed) {
  Random random(seed, Stream::kOrderLabels);
  const int64_t concepts = hierarchy.concepts.size();
  const ExactPairs all = generals_of(concepts, hierarchy.lines);
  std::vector<OrderPair> negatives = negatives_for(pairs, concepts, &all, random);
  return {std::move(pairs), std::move(negatives)};
}

int64_t count_shared(const std::vector<OrderPair>& some, const ExactPairs& all_generals) {
  return std::count_if(some.begin(), some.end(), [&](const OrderPair& pair) {
    return all_generals.contains(pair.specific, pair.general);
  });
}

}  // namespace acevec
