#include "tasks/kg/corruption.h"

#include <algorithm>

namespace acevec {
namespace {

// For each relation how many different entities stand at the side.
std::vector<double> count_different(Side side, std::span<const Triple> train, int64_t relations) {
  std::vector<std::pair<int32_t, int32_t>> pairs;
  for (const Triple& triple : train) pairs.emplace_back(triple.relation, entity(triple, side));
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  std::vector<double> counts(static_cast<size_t>(relations));
  for (const auto& pair : pairs) counts[static_cast<size_t>(pair.first)] += 1;
  return counts;
}

}  // namespace

Corruption::Corruption(CorruptionKind kind, std::span<const Triple> train, int64_t relations)
    : shares_(static_cast<size_t>(relations), 0.5F) {
  switch (kind) {
    case CorruptionKind::kUniform:
      return;
    case CorruptionKind::kTail:
      std::fill(shares_.begin(), shares_.end(), 0.0F);
      return;
    case CorruptionKind::kBernoulli:
      break;
  }
  // With n triples, tails per head tph = n / heads and heads per tail hpt = n / tails:
  // tph / (tph + hpt) = tails / (heads + tails).
  const std::vector<double> heads = count_different(Side::kHead, train, relations);
  const std::vector<double> tails = count_different(Side::kTail, train, relations);
  for (size_t i = 0; i < shares_.size(); ++i) {
    const double both = heads[i] + tails[i];
    if (both > 0) shares_[i] = static_cast<float>(tails[i] / both);
  }
}

}  // namespace acevec
