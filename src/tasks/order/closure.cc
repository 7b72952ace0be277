#include "tasks/order/closure.h"

#include <algorithm>
#include <utility>

namespace acevec {

std::optional<std::vector<OrderPair>> transitive_closure(int64_t concepts,
                                                         const std::vector<OrderPair>& pairs,
                                                         int64_t most) {
  const ExactPairs generals = generals_of(concepts, pairs);
  std::vector<std::vector<int32_t>> above(static_cast<size_t>(concepts));
  int64_t count = 0;
  for (const int32_t id : generals_first(generals, specifics_of(concepts, pairs))) {
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

}  // namespace acevec
