#include "tasks/kg/leaks.h"

#include <algorithm>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace acevec {
namespace {

constexpr double kNearlyAlways = 0.8;
// Ends with more triples between them say little of two relations, and would take long.
constexpr size_t kMostBetween = 100;

enum class Origin { kTrain, kValid, kTest };

// A triple by its unordered ends.
struct Link {
  int32_t low, high, relation;
  bool turned;  // whether `low` is the tail
  Origin origin;

  auto ends() const { return std::tuple(low, high); }
  auto triple() const { return std::tuple(low, high, relation, turned); }
};

// Each triple once for each file that has it.
std::vector<Link> links_of(const Graph& graph) {
  std::vector<Link> links;
  for (const auto& [file, origin] : {std::pair(&graph.train, Origin::kTrain),
                                     {&graph.valid, Origin::kValid},
                                     {&graph.test, Origin::kTest}}) {
    for (const auto& [head, relation, tail] : file->triples) {
      links.push_back({std::min(head, tail), std::max(head, tail), relation, head > tail, origin});
    }
  }
  std::ranges::sort(links, {}, &Link::triple);
  return links;
}

// Calls use(links) for all between the same two entities.
template <class Use>
void for_ends(std::span<const Link> links, const Use& use) {
  while (!links.empty()) {
    const auto end = std::ranges::find_if_not(
        links, [&](const Link& link) { return link.ends() == links.front().ends(); });
    const auto count = static_cast<size_t>(end - links.begin());
    if (count > 1 && count <= kMostBetween) use(links.first(count));
    links = links.subspan(count);
  }
}

// How many triples of r have a counterpart of r', with the ends as they are or reversed.
class Counterparts {
 public:
  Counterparts(std::span<const Link> links, int64_t relations)
      : relations_(relations), triples_(static_cast<size_t>(relations)) {
    for (const Link& link : links) ++triples_[static_cast<size_t>(link.relation)];
    for_ends(links, [&](std::span<const Link> between) {
      for (const Link& link : between) {
        const Link* last = nullptr;  // the same triple may be in several files
        for (const Link& other : between) {
          const bool is_new = last == nullptr || other.triple() != last->triple();
          if (is_new && other.triple() != link.triple()) ++counts_[key(link, other)];
          last = &other;
        }
      }
    });
  }

  // Whether one of both nearly always goes with the other. They are two triples.
  bool repeat(const Link& one, const Link& other) const {
    return one.triple() != other.triple() && share(one, other) >= kNearlyAlways &&
           share(other, one) >= kNearlyAlways;
  }

 private:
  int64_t key(const Link& one, const Link& other) const {
    return (one.relation * relations_ + other.relation) * 2 + (one.turned == other.turned ? 0 : 1);
  }

  double share(const Link& one, const Link& other) const {
    return static_cast<double>(counts_.at(key(one, other))) /
           static_cast<double>(triples_[static_cast<size_t>(one.relation)]);
  }

  int64_t relations_;
  std::vector<int64_t> triples_;  // of each relation
  std::unordered_map<int64_t, int64_t> counts_;
};

}  // namespace

int64_t count_leaks(const Graph& graph) {
  if (graph.test.triples.empty()) return 0;
  const std::vector<Link> links = links_of(graph);
  const Counterparts counterparts(links, graph.relations.size());
  int64_t leaks = 0;
  for_ends(links, [&](std::span<const Link> between) {
    for (const Link& link : between) {
      leaks += link.origin == Origin::kTest && std::ranges::any_of(between, [&](const Link& other) {
                 return other.origin == Origin::kTrain && counterparts.repeat(link, other);
               });
    }
  });
  return leaks;
}

}  // namespace acevec
