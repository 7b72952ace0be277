#include "tasks/metric/mining.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/error.h"

namespace acevec {
namespace {

// Pairs of keys are in the order in which candidates are chosen.
using Key = std::pair<bool, float>;

Key key_of(Mining rule, float distance, float positive) {
  switch (rule) {
    case Mining::kSemiHard:
      return distance > positive ? Key{false, distance} : Key{true, -distance};
    case Mining::kUncertain:
      return {false, std::abs(distance - positive)};
    case Mining::kHardest:
      return {false, distance};
  }
  refuse_case("rule of mining");
}

}  // namespace

void mine(Mining rule, const MinedCandidates& from, float positive, int64_t count,
          int32_t* chosen) {
  std::vector<std::pair<Key, int32_t>> candidates;
  candidates.reserve(static_cast<size_t>(from.count));
  for (int64_t j = 0; j < from.count; ++j) {
    if (from.masked[j] != 0) continue;
    candidates.emplace_back(key_of(rule, from.distances[j], positive), static_cast<int32_t>(j));
  }
  const auto some = std::min(count, static_cast<int64_t>(candidates.size()));
  std::partial_sort(candidates.begin(), candidates.begin() + some, candidates.end());
  for (int64_t k = 0; k < count; ++k) {
    chosen[k] = k < some ? candidates[static_cast<size_t>(k)].second : -1;
  }
}

}  // namespace acevec
