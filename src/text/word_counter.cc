#include "text/word_counter.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>

#include "base/error.h"

namespace acevec {
namespace {
constexpr size_t kArenaBlock = 1 << 20;
constexpr size_t kMaxIds = size_t{1} << 31;  // what the token store can hold
}  // namespace

size_t WordCounter::Hash::operator()(std::string_view word) const {
  return XXH3_64bits(word.data(), word.size());
}

uint32_t WordCounter::add(std::string_view word, int64_t times) {
  const size_t hash = Hash()(word);
  const auto known = ids_.find(word, hash);
  if (known != ids_.end()) {
    counts_[known->second] += times;
    return known->second;
  }
  if (words_.size() + 1 >= kMaxIds) {
    throw Error("the text has more than 2^31 different tokens; is it binary data?");
  }
  const auto id = static_cast<uint32_t>(words_.size());
  const std::string_view kept = keep(word);
  words_.push_back(kept);
  counts_.push_back(times);
  ids_.emplace(kept, id);
  return id;
}

int32_t WordCounter::find(std::string_view word) const {
  const auto known = ids_.find(word);
  return known == ids_.end() ? -1 : static_cast<int32_t>(known->second);
}

std::string_view WordCounter::keep(std::string_view word) {
  if (arena_.empty() || arena_.back().size() + word.size() > arena_.back().capacity()) {
    arena_.emplace_back().reserve(std::max(kArenaBlock, word.size()));
  }
  std::string& block = arena_.back();
  block.append(word);
  return std::string_view(block).substr(block.size() - word.size());
}

}  // namespace acevec
