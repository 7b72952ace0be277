#include "phrases/pairs.h"

#include <algorithm>

#include "base/error.h"
#include "text/token_store.h"
#include "text/tokenizer.h"

namespace acevec {
namespace {

// Connectors are digits of this base in the number of connecting words.
constexpr int32_t kBase = PairRules::kMostConnectors + 1;
static_assert(kBase * kBase == 1 << kBetweenBits);

template <class Counts>
int64_t bytes_of(const Counts& counts) {
  constexpr int64_t kBucketBytes = 24;  // pair, count, and the distance from its place
  return static_cast<int64_t>(counts.bucket_count()) * kBucketBytes;
}

bool is_in(const std::vector<bool>& words, int32_t id) {
  return id != kLineEnd && static_cast<size_t>(id) < words.size() && words[static_cast<size_t>(id)];
}

}  // namespace

PairRules::PairRules(const Vocabulary& words, std::vector<std::string> connectors)
    : connectors_(std::move(connectors)) {
  constexpr int32_t kMost = (1 << (kWordBits - 1)) - 1;  // phrases become words too
  if (words.size() > kMost) {
    throw Error(format("the text has more than %d different words; give less of it", kMost));
  }
  for (int32_t id = 0; id < words.size(); ++id) kinds_.push_back(kind_of(words.word(id)));
}

uint8_t PairRules::kind_of(std::string_view word) const {
  const auto connector = std::find(connectors_.begin(), connectors_.end(), word);
  if (connector != connectors_.end()) {
    return static_cast<uint8_t>(connector - connectors_.begin() + 1);
  }
  return has_letter_or_digit(word) ? kWord : kNothing;
}

std::optional<PairRules::Found> PairRules::at(const std::vector<int32_t>& ids, size_t at) const {
  constexpr size_t kMostBetween = 2;
  if (ids[at] == kLineEnd || kind(ids[at]) != kWord) return std::nullopt;
  int32_t between = 0;
  for (size_t i = at + 1; i < std::min(ids.size(), at + kMostBetween + 2); ++i) {
    if (ids[i] == kLineEnd || kind(ids[i]) == kNothing) return std::nullopt;
    if (kind(ids[i]) == kWord) return Found{{ids[at], ids[i], between}, i};
    between = between * kBase + kind(ids[i]);
  }
  return std::nullopt;
}

std::vector<std::string_view> PairRules::between(int32_t number) const {
  std::vector<std::string_view> words;
  for (; number > 0; number /= kBase) {
    words.insert(words.begin(), connectors_[static_cast<size_t>(number % kBase - 1)]);
  }
  return words;
}

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
    if (!is_in(starts_, ids[i])) continue;
    const auto found = rules.at(ids, i);
    if (!found || !is_in(ends_, found->pair.second)) continue;
    const auto pair = joined_.find(pair_key(found->pair));
    if (pair == joined_.end()) continue;
    ids[kept] = pair->second;
    i = found->last;
    ++joints;
  }
  ids.resize(kept);
  return joints;
}

PairTables::PairTables(int first, int64_t most_bytes) : first_(first), most_bytes_(most_bytes) {
  constexpr float kFullest = 0.8F;  // memory matters more than the last bit of speed
  for (Table& table : tables_) table.counts.max_load_factor(kFullest);
}

void PairTables::add(int table, const std::vector<uint64_t>& pairs) {
  {
    Table& own = tables_[static_cast<size_t>(table)];
    const std::lock_guard lock(own.mutex);
    if (!wants(table)) return;
    const int64_t before = bytes_of(own.counts);
    for (const uint64_t pair : pairs) ++own.counts[pair];
    bytes_ += bytes_of(own.counts) - before;
  }
  while (bytes_ > most_bytes_ && last_ > first_ + 1) empty_last();
}

void PairTables::empty_last() {
  const std::lock_guard only_one(emptying_);
  if (bytes_ <= most_bytes_ || last_ <= first_ + 1) return;
  const int table = --last_;  // from now on nothing is added to it
  Table& emptied = tables_[static_cast<size_t>(table)];
  const std::lock_guard lock(emptied.mutex);
  bytes_ -= bytes_of(emptied.counts);
  emptied.counts = Counts();
}

}  // namespace acevec
