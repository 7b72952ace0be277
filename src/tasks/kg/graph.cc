#include "tasks/kg/graph.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "base/numbers.h"
#include "base/random.h"
#include "base/same_file.h"

namespace acevec {
namespace {

// The number of triples with an entity or a relation that is in no training triple.
int64_t count_unseen(const Graph& graph, const TripleFile& file) {
  std::vector<bool> entities(static_cast<size_t>(graph.entities.size()));
  std::vector<bool> relations(static_cast<size_t>(graph.relations.size()));
  for (const Triple& triple : graph.train.triples) {
    entities[static_cast<size_t>(triple.head)] = true;
    entities[static_cast<size_t>(triple.tail)] = true;
    relations[static_cast<size_t>(triple.relation)] = true;
  }
  return std::count_if(file.triples.begin(), file.triples.end(), [&](const Triple& triple) {
    return !entities[static_cast<size_t>(triple.head)] ||
           !entities[static_cast<size_t>(triple.tail)] ||
           !relations[static_cast<size_t>(triple.relation)];
  });
}

// True if the first triple shares no name with the others, and so may be a header line.
bool may_be_header(const std::vector<Triple>& triples) {
  constexpr size_t kFewest = 4;  // fewer lines are no evidence
  if (triples.size() < kFewest) return false;
  const Triple& first = triples.front();
  return std::ranges::none_of(triples.begin() + 1, triples.end(), [&](const Triple& triple) {
    return triple.relation == first.relation || triple.head == first.head ||
           triple.head == first.tail || triple.tail == first.head || triple.tail == first.tail;
  });
}

// Sorts the triples and drops repeated ones.
void drop_repeats(TripleFile& file) {
  std::sort(file.triples.begin(), file.triples.end());
  const auto last = std::unique(file.triples.begin(), file.triples.end());
  file.repeated = file.triples.end() - last;
  file.triples.erase(last, file.triples.end());
}

// Reads one file; `train` is the file of training triples.
TripleFile read_file(const std::string& path, const std::string& train, const TripleFormat& format,
                     Graph& graph) {
  TripleReader lines(path, format, train);
  if (graph.entities.size() == 0) graph.entities = lines.entities();
  if (graph.relations.size() == 0) graph.relations = lines.relations();
  TripleFile file;
  file.titles = lines.titles();
  while (lines.next()) {
    if (!lines.fault().empty()) lines.refuse();
    const auto& [head, relation, tail] = lines.names();
    const int32_t head_id = graph.entities.add(head);
    file.triples.push_back({head_id, graph.relations.add(relation), graph.entities.add(tail)});
  }
  if (path == train && lines.may_have_titles() && may_be_header(file.triples)) {
    const auto [head, relation, tail] = file.triples.front();
    graph.possible_header = graph.entities.name(head) + " " + graph.relations.name(relation) + " " +
                            graph.entities.name(tail);
  }
  drop_repeats(file);
  return file;
}

constexpr double kLeastOverlap = 0.8;
// Entities with more triples between them are no evidence about two relations, and would take long.
constexpr size_t kMostBetween = 100;

std::pair<int32_t, int32_t> ends(const Triple& triple) {
  return {triple.head, triple.tail};
}

// The distinct triples of all files, sorted by head and tail.
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

// Calls use(other, reversed) for all other triples between the two entities of a triple.
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

Graph read_graph(const std::string& train, const std::string& valid, const std::string& test,
                 const TripleFormat& format) {
  Graph graph;
  graph.train = read_file(train, train, format, graph);
  if (graph.train.triples.empty()) {
    throw Error(acevec::format(
        "%s contains no triples; give lines of head, relation and tail with tabs between them",
        input_name(train).c_str()));
  }
  if (!valid.empty()) graph.valid = read_file(valid, train, format, graph);
  if (!test.empty()) graph.test = read_file(test, train, format, graph);
  graph.valid.unseen = count_unseen(graph, graph.valid);
  graph.test.unseen = count_unseen(graph, graph.test);
  return graph;
}

void hold_out(double share, uint64_t seed, Graph& graph) {
  std::vector<int64_t> of_entity(static_cast<size_t>(graph.entities.size()));
  std::vector<int64_t> of_relation(static_cast<size_t>(graph.relations.size()));
  // Adds `by` to the counts of a triple's names; returns the smallest count.
  const auto count = [&](const Triple& triple, int64_t by) {
    int64_t& head = of_entity[static_cast<size_t>(triple.head)];
    int64_t& tail = of_entity[static_cast<size_t>(triple.tail)];
    int64_t& relation = of_relation[static_cast<size_t>(triple.relation)];
    head += by, tail += by, relation += by;
    return std::min({head, tail, relation});
  };
  std::vector<Triple> triples = std::exchange(graph.train.triples, {});
  for (const Triple& triple : triples) count(triple, 1);
  Random random(seed, Stream::kKgHeldOut);
  shuffle(triples, random);
  const auto wanted = std::llround(share * static_cast<double>(triples.size()));
  for (const Triple& triple : triples) {
    const bool below_target = std::ssize(graph.valid.triples) < wanted;
    const bool taken = below_target && count(triple, -1) > 0;
    if (below_target && !taken) count(triple, 1);
    (taken ? graph.valid : graph.train).triples.push_back(triple);
  }
  std::ranges::sort(graph.train.triples);
  std::ranges::sort(graph.valid.triples);
}

int64_t count_leaks(const Graph& graph) {
  if (graph.test.triples.empty()) return 0;
  const std::vector<Triple> triples = by_ends(graph);
  std::vector<int64_t> counts(static_cast<size_t>(graph.relations.size()));
  std::map<std::tuple<int32_t, int32_t, bool>, int64_t> pair_counts;
  for (const Triple& triple : triples) {
    ++counts[static_cast<size_t>(triple.relation)];
    for_counterparts(triple, triples, [&](const Triple& other, bool reversed) {
      ++pair_counts[{triple.relation, other.relation, reversed}];
    });
  }
  const auto share = [&](const Triple& one, const Triple& other, bool reversed) {
    return static_cast<double>(pair_counts[{one.relation, other.relation, reversed}]) /
           static_cast<double>(counts[static_cast<size_t>(one.relation)]);
  };
  return std::ranges::count_if(graph.test.triples, [&](const Triple& triple) {
    bool leaks = false;
    for_counterparts(triple, triples, [&](const Triple& other, bool reversed) {
      leaks = leaks || (share(triple, other, reversed) >= kLeastOverlap &&
                        share(other, triple, reversed) >= kLeastOverlap &&
                        std::ranges::binary_search(graph.train.triples, other));
    });
    return leaks;
  });
}

int64_t count_like_entities(const Graph& graph) {
  return std::ranges::count_if(graph.relations.all(), [&](const std::string& name) {
    return graph.entities.find(name) >= 0 && !number_of<int64_t>(name);
  });
}

}  // namespace acevec
