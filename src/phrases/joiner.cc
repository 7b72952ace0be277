#include "phrases/joiner.h"

#include <algorithm>

#include "text/token_store.h"

namespace acevec {

void Joiner::add(int32_t first, int32_t second, int32_t joined) {
  const auto mark = [](std::vector<bool>& words, int32_t id) {
    words.resize(std::max(words.size(), static_cast<size_t>(id) + 1));
    words[static_cast<size_t>(id)] = true;
  };
  mark(starts_, first);
  mark(ends_, second);
  joined_[pair_key(first, second)] = joined;
}

void Joiner::join(std::vector<int32_t>& ids) const {
  size_t kept = 0;
  for (size_t i = 0; i < ids.size(); ++i, ++kept) {
    const int32_t id = ids[i];
    ids[kept] = id;
    if (!holds(starts_, id) || i + 1 == ids.size() || !holds(ends_, ids[i + 1])) continue;
    const auto pair = joined_.find(pair_key(id, ids[i + 1]));
    if (pair == joined_.end()) continue;
    ids[kept] = pair->second;
    ++i;
  }
  ids.resize(kept);
}

bool Joiner::holds(const std::vector<bool>& words, int32_t id) {
  return id != kLineEnd && static_cast<size_t>(id) < words.size() && words[static_cast<size_t>(id)];
}

}  // namespace acevec
