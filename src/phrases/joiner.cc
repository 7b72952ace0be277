#include "phrases/joiner.h"

#include <algorithm>

#include "text/token_store.h"

namespace acevec {

void Joiner::add(const WordPair& pair, int32_t joined) {
  const auto mark = [](std::vector<bool>& words, int32_t id) {
    words.resize(std::max(words.size(), static_cast<size_t>(id) + 1));
    words[static_cast<size_t>(id)] = true;
  };
  mark(starts_, pair.first);
  mark(ends_, pair.second);
  joined_[pair_key(pair)] = joined;
}

int64_t Joiner::join(const PairRules& rules, std::vector<int32_t>& ids) const {
  int64_t joints = 0;
  size_t kept = 0;
  for (size_t i = 0; i < ids.size(); ++i, ++kept) {
    ids[kept] = ids[i];
    if (!holds(starts_, ids[i])) continue;
    const auto found = rules.at(ids, i);
    if (!found || !holds(ends_, found->pair.second)) continue;
    const auto pair = joined_.find(pair_key(found->pair));
    if (pair == joined_.end()) continue;
    ids[kept] = pair->second;
    i = found->last;
    ++joints;
  }
  ids.resize(kept);
  return joints;
}

bool Joiner::holds(const std::vector<bool>& words, int32_t id) {
  return id != kLineEnd && static_cast<size_t>(id) < words.size() && words[static_cast<size_t>(id)];
}

}  // namespace acevec
