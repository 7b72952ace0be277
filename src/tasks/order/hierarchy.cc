#include "tasks/order/hierarchy.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "base/progress.h"
#include "base/utf8.h"
#include "text/lines.h"
#include "text/tokenizer.h"

namespace acevec {
namespace {

// The two names of a line.
std::pair<std::string_view, std::string_view> columns(const LineReader& lines,
                                                      std::string_view line) {
  const size_t tab = line.find('\t');
  if (tab == std::string_view::npos || line.find('\t', tab + 1) != std::string_view::npos) {
    lines.refuse("has " + counted(1 + std::count(line.begin(), line.end(), '\t'), "column") +
                 "; give a specific concept, a tab and a general one");
  }
  const std::string_view specific = line.substr(0, tab);
  const std::string_view general = line.substr(tab + 1);
  for (const std::string_view name : {specific, general}) {
    if (name.empty()) lines.refuse("has an empty name; give two");
    if (!is_utf8(name)) lines.refuse("is not UTF-8; convert the file");
  }
  return {specific, general};
}

// Names as they come, numbered from 0.
struct Names {
  std::unordered_map<std::string, int32_t> ids;
  std::vector<WordCount> counts;

  int32_t add(std::string_view typed) {
    const std::string name = concept_name(typed);
    const auto [place, is_new] = ids.emplace(name, static_cast<int32_t>(counts.size()));
    if (is_new) counts.push_back({name, 0});
    ++counts[static_cast<size_t>(place->second)].count;
    return place->second;
  }

  // The vocabulary, and the id there of each number here.
  std::pair<Vocabulary, std::vector<int32_t>> ranked() const {
    Vocabulary vocabulary(counts, 1, 0);
    std::vector<int32_t> rank(counts.size());
    for (int32_t id = 0; id < vocabulary.size(); ++id) {
      rank[static_cast<size_t>(ids.find(vocabulary.word(id))->second)] = id;
    }
    return {std::move(vocabulary), std::move(rank)};
  }
};

ExactPairs pairs_by(int32_t OrderPair::*condition, int32_t OrderPair::*outcome, int64_t concepts,
                    const std::vector<OrderPair>& pairs) {
  std::vector<ObservedPair> observed;
  observed.reserve(pairs.size());
  for (const OrderPair& pair : pairs) observed.push_back({pair.*condition, pair.*outcome});
  return {concepts, observed};
}

void refuse_circles(const LineReader& lines, const Hierarchy& hierarchy) {
  constexpr size_t kShown = 8;  // of a circle's concepts; all of one that is not much longer
  const std::vector<int32_t> circle = find_circle(hierarchy.concepts.size(), hierarchy.lines);
  if (circle.empty()) return;
  std::string names;
  for (size_t i = 0; i < circle.size(); ++i) {
    if (i == kShown && circle.size() > kShown + 2) {
      i = circle.size() - 1;
      names += format(" -> ... %zu more", i - kShown);
    }
    names += (names.empty() ? "" : " -> ") + excerpt(hierarchy.concepts.word(circle[i]));
  }
  throw Error(format("cannot use %s: its pairs form a cycle, %s; take one of them out",
                     lines.name().c_str(), names.c_str()));
}

}  // namespace

std::string concept_name(std::string_view typed) {
  std::string name(typed);
  std::replace_if(name.begin(), name.end(), is_space, '_');
  return name;
}

std::vector<OrderPair> unique_pairs(std::vector<OrderPair> pairs) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

Hierarchy read_hierarchy(const std::string& path) {
  LineReader lines(path);
  Names names;
  Hierarchy hierarchy;
  while (const std::optional<std::string_view> line = lines.next()) {
    const auto [specific, general] = columns(lines, *line);
    const OrderPair pair{names.add(specific), names.add(general)};
    if (pair.specific == pair.general) {
      lines.refuse("puts \"" + excerpt(concept_name(general)) + "\" above itself; take it out");
    }
    hierarchy.lines.push_back(pair);
  }
  if (hierarchy.lines.empty()) {
    throw Error(
        format("%s holds no pairs; give lines of a specific concept, a tab and a general "
               "one",
               lines.name().c_str()));
  }
  auto [vocabulary, rank] = names.ranked();
  hierarchy.concepts = std::move(vocabulary);
  for (OrderPair& pair : hierarchy.lines) {
    pair = {rank[static_cast<size_t>(pair.specific)], rank[static_cast<size_t>(pair.general)]};
  }
  refuse_circles(lines, hierarchy);
  return hierarchy;
}

ExactPairs generals_of(int64_t concepts, const std::vector<OrderPair>& pairs) {
  return pairs_by(&OrderPair::specific, &OrderPair::general, concepts, pairs);
}

ExactPairs specifics_of(int64_t concepts, const std::vector<OrderPair>& pairs) {
  return pairs_by(&OrderPair::general, &OrderPair::specific, concepts, pairs);
}

// Kahn 1962.
std::vector<int32_t> generals_first(const ExactPairs& generals, const ExactPairs& specifics) {
  std::vector<int32_t> ready;
  std::vector<int64_t> waits_for;
  for (int32_t id = 0; id < generals.conditions(); ++id) {
    waits_for.push_back(static_cast<int64_t>(generals.outcomes(id).size()));
    if (waits_for.back() == 0) ready.push_back(id);
  }
  for (size_t i = 0; i < ready.size(); ++i) {
    for (const int32_t specific : specifics.outcomes(ready[i])) {
      if (--waits_for[static_cast<size_t>(specific)] == 0) ready.push_back(specific);
    }
  }
  return ready;
}

std::vector<int32_t> find_circle(int64_t concepts, const std::vector<OrderPair>& pairs) {
  const ExactPairs generals = generals_of(concepts, pairs);
  std::vector<bool> left(static_cast<size_t>(concepts), true);
  for (const int32_t id : generals_first(generals, specifics_of(concepts, pairs))) {
    left[static_cast<size_t>(id)] = false;
  }
  const auto any = std::find(left.begin(), left.end(), true);
  if (any == left.end()) return {};
  // Everything left has something left above it: going up must come round.
  const auto above = [&](int32_t id) {
    const std::span<const int32_t> all = generals.outcomes(id);
    return *std::find_if(all.begin(), all.end(),
                         [&](int32_t general) { return left[static_cast<size_t>(general)]; });
  };
  std::vector<bool> seen(static_cast<size_t>(concepts));
  auto at = static_cast<int32_t>(any - left.begin());
  for (; !seen[static_cast<size_t>(at)]; at = above(at)) seen[static_cast<size_t>(at)] = true;
  std::vector<int32_t> circle{at};
  do circle.push_back(above(circle.back()));
  while (circle.back() != at);
  return circle;
}

}  // namespace acevec
