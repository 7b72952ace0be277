#include "tasks/kg/known_triples.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace acevec {

KnownAnswers::KnownAnswers(Side side, int64_t entities,
                           std::initializer_list<std::span<const Triple>> parts)
    : side_(side), begins_(static_cast<size_t>(entities) + 1), pairs_(0, {}) {
  size_t triples = 0;
  for (const std::span<const Triple> part : parts) triples += part.size();
  std::vector<ObservedPair> conditions;
  conditions.reserve(triples);
  for (const std::span<const Triple> part : parts) {
    for (const Triple& triple : part) {
      conditions.push_back({entity(triple, other(side)), triple.relation});
    }
  }
  const ExactPairs relations(entities, conditions);
  relations_.reserve(static_cast<size_t>(relations.pairs()));
  for (int32_t kept = 0; kept < entities; ++kept) {
    const std::span<const int32_t> own = relations.outcomes(kept);
    relations_.insert(relations_.end(), own.begin(), own.end());
    begins_[static_cast<size_t>(kept) + 1] = static_cast<int32_t>(relations_.size());
  }
  std::vector<ObservedPair> pairs = std::move(conditions);
  pairs.clear();
  for (const std::span<const Triple> part : parts) {
    for (const Triple& triple : part) pairs.push_back({condition(triple), entity(triple, side)});
  }
  pairs_ = ExactPairs(static_cast<int64_t>(relations_.size()), pairs);
}

// −1 when there is none.
int32_t KnownAnswers::condition(const Triple& triple) const {
  const auto kept = static_cast<size_t>(entity(triple, other(side_)));
  const auto first = relations_.begin() + begins_[kept];
  const auto last = relations_.begin() + begins_[kept + 1];
  const auto place = std::lower_bound(first, last, triple.relation);
  if (place == last || *place != triple.relation) return -1;
  return static_cast<int32_t>(place - relations_.begin());
}

std::span<const int32_t> KnownAnswers::of(const Triple& triple) const {
  const int32_t place = condition(triple);
  if (place < 0) return {};
  return pairs_.outcomes(place);
}

bool KnownAnswers::contains(const Triple& triple) const {
  const std::span<const int32_t> all = of(triple);
  return std::binary_search(all.begin(), all.end(), entity(triple, side_));
}

KnownTriples::KnownTriples(int64_t entities, std::initializer_list<std::span<const Triple>> parts)
    : heads(Side::kHead, entities, parts), tails(Side::kTail, entities, parts) {
  size_t triples = 0;
  for (const std::span<const Triple> part : parts) triples += part.size();
  // 16 to 32 bits for each: at most one in 16 of the others meets a bit that is set.
  const int log2 = std::max(6, static_cast<int>(std::bit_width(16 * triples)));
  shift_ = 64 - log2;
  bits_.resize(size_t{1} << (log2 - 6));
  for (const std::span<const Triple> part : parts) {
    for (const Triple& triple : part) {
      const uint64_t bit = bit_of(triple);
      bits_[bit / 64] |= uint64_t{1} << (bit % 64);
    }
  }
}

}  // namespace acevec
