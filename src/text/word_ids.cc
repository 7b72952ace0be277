#include "text/word_ids.h"

#include "base/error.h"

namespace acevec {

uint32_t WordCounter::add(std::string_view word, int64_t times) {
  const uint32_t id = find_or_add({word, word_key(word)});
  counts_[id] += times;
  return id;
}

void WordCounter::add_all(std::span<const KeyedWord> words, int32_t* ids) {
  ids_.find_all(words, ids);
  for (size_t i = 0; i < words.size(); ++i) {
    if (ids[i] >= 0) __builtin_prefetch(counts_.data() + ids[i], 1);
  }
  for (size_t i = 0; i < words.size(); ++i) {
    // An earlier one of these words may have been the same and new.
    if (ids[i] < 0) ids[i] = static_cast<int32_t>(find_or_add(words[i]));
    ++counts_[static_cast<size_t>(ids[i])];
  }
}

// Returns the id of a word; a new word has count 0.
uint32_t WordCounter::find_or_add(const KeyedWord& word) {
  const int32_t known = ids_.find(word);
  if (known >= 0) return static_cast<uint32_t>(known);
  constexpr size_t kMaxIds = size_t{1} << 31;  // the limit of the token store
  if (size() + 1 >= kMaxIds) {
    throw Error("the text has more than 2^31 distinct tokens; is it binary data?");
  }
  const auto id = static_cast<uint32_t>(size());
  words_->words.push_back(keep(word.word));
  counts_.push_back(0);
  hash_prefixes_.push_back(static_cast<uint16_t>(word_hash(word.key) >> 48));
  ids_.add(static_cast<int32_t>(id), word.key);
  return id;
}

void WordCounter::reserve(size_t words) {
  ids_.reserve(words);
  words_->words.reserve(words);
  counts_.reserve(words);
  hash_prefixes_.reserve(words);
}

bool WordCounter::may_exceed(int64_t bytes, size_t more) const {
  constexpr size_t kRow = sizeof(std::string_view) + sizeof(int64_t) + sizeof(uint16_t);
  const size_t then = size() + more;
  const size_t rows = then <= counts_.capacity() ? counts_.capacity() : std::bit_ceil(then) * 3 / 2;
  return static_cast<int64_t>(arena_bytes_ + ids_.bytes_with(then) + rows * kRow) > bytes;
}

std::string_view WordCounter::keep(std::string_view word) {
  constexpr size_t kArenaBlock = 1 << 20;
  if (arena_.empty() || arena_.back().size() + word.size() > arena_.back().capacity()) {
    arena_.emplace_back().reserve(std::max(kArenaBlock, word.size()));
    arena_bytes_ += arena_.back().capacity();
  }
  std::string& block = arena_.back();
  block.append(word);
  return std::string_view(block).substr(block.size() - word.size());
}

}  // namespace acevec
