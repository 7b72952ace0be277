#include "tasks/order/hierarchy.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/numbers.h"
#include "base/utf8.h"
#include "text/lines.h"

namespace acevec {
namespace {

ExactPairs pairs_by(int32_t OrderPair::*condition, int32_t OrderPair::*outcome, int64_t concepts,
                    const std::vector<OrderPair>& pairs) {
  std::vector<ObservedPair> observed;
  observed.reserve(pairs.size());
  for (const OrderPair& pair : pairs) observed.push_back({pair.*condition, pair.*outcome});
  return {concepts, observed};
}

void refuse_cycles(const LineReader& lines, const Hierarchy& hierarchy) {
  constexpr size_t kShown = 8;  // concepts of a longer cycle that are shown
  const std::vector<int32_t> cycle = find_cycle(hierarchy.concepts.size(), hierarchy.lines);
  if (cycle.empty()) return;
  std::string names;
  for (size_t i = 0; i < cycle.size(); ++i) {
    if (i == kShown && cycle.size() > kShown + 2) {
      i = cycle.size() - 1;
      names += format(" -> ... %zu more", i - kShown);
    }
    names += (names.empty() ? "" : " -> ") + excerpt(hierarchy.concepts.word(cycle[i]));
  }
  throw Error(format("cannot use %s: its pairs form a cycle, %s; remove one of them",
                     lines.name().c_str(), names.c_str()));
}

// Draws negatives for `positives`, none of them in `refused` unless that is null. A pair gets none
// if all its replacements are true, as at the ends of a chain.
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

std::vector<OrderPair> unique_pairs(std::vector<OrderPair> pairs) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

Hierarchy hierarchy_of(std::vector<WordCount> concepts, const std::vector<OrderPair>& pairs) {
  const auto at = [](int32_t id) { return static_cast<size_t>(id); };
  for (const OrderPair& pair : pairs) {
    ++concepts[at(pair.specific)].count;
    ++concepts[at(pair.general)].count;
  }
  std::vector<int32_t> order(concepts.size()), ids(concepts.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](int32_t a, int32_t b) { return more_frequent(concepts[at(a)], concepts[at(b)]); });
  for (size_t i = 0; i < order.size(); ++i) ids[at(order[i])] = static_cast<int32_t>(i);
  Hierarchy result{Vocabulary(std::move(concepts), 1, 0), {}};
  result.lines.reserve(pairs.size());
  for (const OrderPair& pair : pairs) {
    result.lines.push_back({ids[at(pair.specific)], ids[at(pair.general)]});
  }
  return result;
}

Hierarchy read_hierarchy(const std::string& path) {
  LineReader lines(path);
  Names names;
  std::vector<OrderPair> pairs;
  const std::string advice = "; give a specific concept, a tab and a general one";
  while (const std::optional<std::string_view> line = lines.next()) {
    const std::vector<std::string_view> typed = split(*line, "\t");
    if (typed.size() != 2) {
      lines.refuse("has " + counted(std::ssize(typed), "column") + advice +
                   (line->find(',') == line->npos ? "" : "; tr , '\\t' turns commas into tabs"));
    }
    if (typed[0].empty() || typed[1].empty()) lines.refuse("has an empty name" + advice);
    if (!is_utf8(*line)) lines.refuse("is not UTF-8; convert the file");
    const OrderPair pair{names.add(as_word(typed[0])), names.add(as_word(typed[1]))};
    if (pair.specific == pair.general) {
      lines.refuse("pairs \"" + excerpt(names.name(pair.general)) + "\" with itself; remove it");
    }
    pairs.push_back(pair);
  }
  if (pairs.empty()) {
    throw Error(
        format("%s contains no pairs; give lines of a specific concept, a tab and a general one",
               lines.name().c_str()));
  }
  std::vector<WordCount> concepts;
  concepts.reserve(static_cast<size_t>(names.size()));
  for (const std::string& name : names.all()) concepts.push_back({name, 0});
  Hierarchy hierarchy = hierarchy_of(std::move(concepts), pairs);
  refuse_cycles(lines, hierarchy);
  return hierarchy;
}

ExactPairs generals_of(int64_t concepts, const std::vector<OrderPair>& pairs) {
  return pairs_by(&OrderPair::specific, &OrderPair::general, concepts, pairs);
}

ExactPairs specifics_of(int64_t concepts, const std::vector<OrderPair>& pairs) {
  return pairs_by(&OrderPair::general, &OrderPair::specific, concepts, pairs);
}

// Kahn's algorithm (1962).
std::vector<int32_t> topological_order(const ExactPairs& generals, const ExactPairs& specifics) {
  std::vector<int32_t> ready;
  std::vector<int64_t> in_degrees;
  for (int32_t id = 0; id < generals.conditions(); ++id) {
    in_degrees.push_back(static_cast<int64_t>(generals.outcomes(id).size()));
    if (in_degrees.back() == 0) ready.push_back(id);
  }
  for (size_t i = 0; i < ready.size(); ++i) {
    for (const int32_t specific : specifics.outcomes(ready[i])) {
      if (--in_degrees[static_cast<size_t>(specific)] == 0) ready.push_back(specific);
    }
  }
  return ready;
}

std::vector<int32_t> find_cycle(int64_t concepts, const std::vector<OrderPair>& pairs) {
  const ExactPairs generals = generals_of(concepts, pairs);
  std::vector<bool> left(static_cast<size_t>(concepts), true);
  for (const int32_t id : topological_order(generals, specifics_of(concepts, pairs))) {
    left[static_cast<size_t>(id)] = false;
  }
  const auto any = std::find(left.begin(), left.end(), true);
  if (any == left.end()) return {};
  // Every remaining concept has a remaining one above it, so going up closes a cycle.
  const auto above = [&](int32_t id) {
    const std::span<const int32_t> all = generals.outcomes(id);
    return *std::find_if(all.begin(), all.end(),
                         [&](int32_t general) { return left[static_cast<size_t>(general)]; });
  };
  std::vector<bool> seen(static_cast<size_t>(concepts));
  auto at = static_cast<int32_t>(any - left.begin());
  for (; !seen[static_cast<size_t>(at)]; at = above(at)) seen[static_cast<size_t>(at)] = true;
  std::vector<int32_t> cycle{at};
  do cycle.push_back(above(cycle.back()));
  while (cycle.back() != at);
  return cycle;
}

std::optional<std::vector<OrderPair>> transitive_closure(int64_t concepts,
                                                         const std::vector<OrderPair>& pairs,
                                                         int64_t most) {
  const ExactPairs generals = generals_of(concepts, pairs);
  std::vector<std::vector<int32_t>> above(static_cast<size_t>(concepts));
  int64_t count = 0;
  for (const int32_t id : topological_order(generals, specifics_of(concepts, pairs))) {
    std::vector<int32_t>& all = above[static_cast<size_t>(id)];
    for (const int32_t general : generals.outcomes(id)) {
      const std::vector<int32_t>& more = above[static_cast<size_t>(general)];
      all.push_back(general);
      all.insert(all.end(), more.begin(), more.end());
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    count += std::ssize(all);
    if (count > most) return std::nullopt;
  }
  std::vector<OrderPair> closed;
  closed.reserve(static_cast<size_t>(count));
  for (int32_t id = 0; id < concepts; ++id) {
    for (const int32_t general : above[static_cast<size_t>(id)]) closed.push_back({id, general});
  }
  return closed;
}

Hierarchy with_pairs(const Hierarchy& hierarchy, const std::vector<OrderPair>& pairs) {
  std::vector<WordCount> concepts;
  concepts.reserve(static_cast<size_t>(hierarchy.concepts.size()));
  for (int32_t id = 0; id < hierarchy.concepts.size(); ++id) {
    concepts.push_back({hierarchy.concepts.word(id), 0});
  }
  return hierarchy_of(std::move(concepts), pairs);
}

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
  // The last pair replaces a drawn one; training shuffles anyway.
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
