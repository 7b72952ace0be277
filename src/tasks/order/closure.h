// The pairs that other pairs imply: what is above a general concept is above its specific ones,
// too.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tasks/order/hierarchy.h"

namespace acevec {

// More pairs than this are not looked for: a chain of n concepts has n²/2.
inline constexpr int64_t kMostImplied = 30'000'000;

// The pairs and all that follows from them, each once, in order; nothing when that is more than
// `most`. The pairs must not run in a circle.
std::optional<std::vector<OrderPair>> transitive_closure(int64_t concepts,
                                                         const std::vector<OrderPair>& pairs,
                                                         int64_t most = kMostImplied);

// The hierarchy with other pairs of its concepts, which are numbered anew, by descending number of
// pairs.
Hierarchy with_pairs(const Hierarchy& hierarchy, const std::vector<OrderPair>& pairs);

}  // namespace acevec
