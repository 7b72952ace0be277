#include "order/closure.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "order/split.h"

namespace acevec {

std::optional<std::vector<OrderPair>> transitive_closure(int64_t concepts,
                                                         const std::vector<OrderPair>& pairs,
                                                         int64_t most) {
  const ExactPairs generals = generals_of(concepts, pairs);
  const ExactPairs specifics = specifics_of(concepts, pairs);
  // Concepts whose generals are all done, the highest first.
  std::vector<int32_t> ready;
  std::vector<int64_t> waits_for(static_cast<size_t>(concepts));
  for (int32_t id = 0; id < concepts; ++id) {
    waits_for[static_cast<size_t>(id)] = static_cast<int64_t>(generals.outcomes(id).size());
    if (generals.outcomes(id).empty()) ready.push_back(id);
  }
  std::vector<std::vector<int32_t>> above(static_cast<size_t>(concepts));
  int64_t count = 0;
  for (size_t i = 0; i < ready.size(); ++i) {
    const int32_t id = ready[i];
    std::vector<int32_t>& all = above[static_cast<size_t>(id)];
    for (const int32_t general : generals.outcomes(id)) {
      const std::vector<int32_t>& more = above[static_cast<size_t>(general)];
      all.push_back(general);
      all.insert(all.end(), more.begin(), more.end());
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    count += static_cast<int64_t>(all.size());
    if (count > most) return std::nullopt;
    for (const int32_t specific : specifics.outcomes(id)) {
      if (--waits_for[static_cast<size_t>(specific)] == 0) ready.push_back(specific);
    }
  }
  std::vector<OrderPair> closed;
  closed.reserve(static_cast<size_t>(count));
  for (int32_t id = 0; id < concepts; ++id) {
    for (const int32_t general : above[static_cast<size_t>(id)]) closed.push_back({id, general});
  }
  return closed;
}

Hierarchy with_pairs(const Hierarchy& hierarchy, const std::vector<OrderPair>& pairs) {
  std::vector<WordCount> counts;
  counts.reserve(static_cast<size_t>(hierarchy.concepts.size()));
  for (int32_t id = 0; id < hierarchy.concepts.size(); ++id) {
    counts.push_back({hierarchy.concepts.word(id), 0});
  }
  for (const OrderPair& pair : pairs) {
    ++counts[static_cast<size_t>(pair.specific)].count;
    ++counts[static_cast<size_t>(pair.general)].count;
  }
  Hierarchy result{Vocabulary(counts, 1, 0), {}};
  std::unordered_map<std::string_view, int32_t> ids_of;
  for (int32_t id = 0; id < result.concepts.size(); ++id) ids_of[result.concepts.word(id)] = id;
  std::vector<int32_t> ids;
  ids.reserve(counts.size());
  for (const WordCount& one : counts) ids.push_back(ids_of.at(one.word));
  result.lines.reserve(pairs.size());
  for (const OrderPair& pair : pairs) {
    result.lines.push_back(
        {ids[static_cast<size_t>(pair.specific)], ids[static_cast<size_t>(pair.general)]});
  }
  return result;
}

}  // namespace acevec
