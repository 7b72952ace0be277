#include "tasks/kg/leaks.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace acevec {
namespace {

constexpr double kNearlyAlways = 0.8;
// Entities with more triples between them say little of two relations, and would take long.
constexpr size_t kMostBetween = 100;

std::pair<int32_t, int32_t> ends(const Triple& triple) {
  return {triple.head, triple.tail};
}

// The triples of all files by their ends, each once.
std::vector<Triple> by_ends(const Graph& graph) {
  std::vector<Triple> triples;
  for (const TripleFile* const file : {&graph.train, &graph.valid, &graph.test}) {
    triples.insert(triples.end(), file->triples.begin(), file->triples.end());
  }
  std::ranges::sort(triples, {}, [](const Triple& triple) {
    return std::tuple(triple.head, triple.tail, triple.relation);
  });
  triples.erase(std::unique(triples.begin(), triples.end()), triples.end());
  return triples;
}

// Calls use(other, reversed) for all others between the two entities of a triple.
template <class Use>
void for_counterparts(const Triple& triple, const std::vector<Triple>& triples, const Use& use) {
  const auto [head, tail] = ends(triple);
  for (const bool reversed : {false, true}) {
    if (reversed && head == tail) continue;
    const auto between = reversed ? std::pair(tail, head) : std::pair(head, tail);
    const auto first = std::ranges::lower_bound(triples, between, {}, ends);
    const auto last = std::ranges::upper_bound(triples, between, {}, ends);
    if (static_cast<size_t>(last - first) > kMostBetween) continue;
    for (auto other = first; other != last; ++other) {
      if (*other != triple) use(*other, reversed);
    }
  }
}

}  // namespace

int64_t count_leaks(const Graph& graph) {
  if (graph.test.triples.empty()) return 0;
  const std::vector<Triple> triples = by_ends(graph);
  std::vector<int64_t> counts(static_cast<size_t>(graph.relations.size()));
  std::map<std::tuple<int32_t, int32_t, bool>, int64_t> together;
  for (const Triple& triple : triples) {
    ++counts[static_cast<size_t>(triple.relation)];
    for_counterparts(triple, triples, [&](const Triple& other, bool reversed) {
      ++together[{triple.relation, other.relation, reversed}];
    });
  }
  const auto share = [&](const Triple& one, const Triple& other, bool reversed) {
    return static_cast<double>(together[{one.relation, other.relation, reversed}]) /
           static_cast<double>(counts[static_cast<size_t>(one.relation)]);
  };
  return std::ranges::count_if(graph.test.triples, [&](const Triple& triple) {
    bool leaks = false;
    for_counterparts(triple, triples, [&](const Triple& other, bool reversed) {
      leaks = leaks || (share(triple, other, reversed) >= kNearlyAlways &&
                        share(other, triple, reversed) >= kNearlyAlways &&
                        std::ranges::binary_search(graph.train.triples, other));
    });
    return leaks;
  });
}

}  // namespace acevec
