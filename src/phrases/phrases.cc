#include "phrases/phrases.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "base/parallel.h"
#include "text/token_store.h"
#include "text/tokenizer.h"

namespace acevec {
namespace {

// The connectors are the digits, in this base, of the number that encodes connecting words.
constexpr int32_t kBase = PairRules::kMostConnectors + 1;
static_assert(kBase * kBase == 1 << kBetweenBits);

template <class Counts>
int64_t bytes_of(const Counts& counts) {
  constexpr int64_t kBucketBytes = 24;  // pair, count, and the probe distance
  return static_cast<int64_t>(counts.bucket_count()) * kBucketBytes;
}

bool is_in(const std::vector<bool>& words, int32_t id) {
  return id != kLineEnd && static_cast<size_t>(id) < words.size() && words[static_cast<size_t>(id)];
}

constexpr size_t kPairsAtOnce = 1024;  // counted under one lock

// The score of a phrase, and its upper bound from word counts alone.
class Score {
 public:
  Score(const PhraseSettings& settings, const std::vector<int64_t>& counts)
      : threshold_(settings.threshold),
        min_count_(static_cast<double>(settings.min_count)),
        tokens_(static_cast<double>(std::accumulate(counts.begin(), counts.end(), int64_t{0}))),
        counts_(counts.begin(), counts.end()) {}

  double of(const WordPair& pair, double count) const {
    return (count - min_count_) / (count_of(pair.first) * count_of(pair.second)) * tokens_;
  }

  // Returns false when no count could raise the pair above the threshold: a pair occurs at most as
  // often as the rarer of its words. Most pairs fail here and are never counted.
  bool can_pass(const WordPair& pair) const {
    const double most = std::min(count_of(pair.first), count_of(pair.second));
    return most > min_count_ && of(pair, most) > threshold_;
  }

 private:
  double count_of(int32_t id) const { return counts_[static_cast<size_t>(id)]; }

  double threshold_;
  double min_count_;
  double tokens_;
  std::vector<double> counts_;
};

// Buffers one thread's pairs before they go to the tables.
class PairBuffer {
 public:
  explicit PairBuffer(PairTables& tables) : tables_(tables) {}

  void add(uint64_t pair) {
    const int table = PairTables::table_of(pair);
    if (!tables_.wants(table)) return;
    std::vector<uint64_t>& waiting = waiting_[static_cast<size_t>(table)];
    waiting.push_back(pair);
    if (waiting.size() >= kPairsAtOnce) hand_over(table);
  }

  void finish() {
    for (int table = 0; table < PairTables::kTables; ++table) hand_over(table);
  }

 private:
  void hand_over(int table) {
    std::vector<uint64_t>& waiting = waiting_[static_cast<size_t>(table)];
    tables_.add(table, waiting);
    waiting.clear();
  }

  PairTables& tables_;
  std::array<std::vector<uint64_t>, PairTables::kTables> waiting_;
};

bool better(const Phrase& a, const Phrase& b) {
  if (a.score != b.score) return a.score > b.score;
  return pair_key(a.pair) < pair_key(b.pair);
}

}  // namespace

PairRules::PairRules(const Vocabulary& words, std::vector<std::string> connectors)
    : connectors_(std::move(connectors)) {
  constexpr int32_t kMost = (1 << (kWordBits - 1)) - 1;  // the rest is for phrases
  if (words.size() > kMost) {
    throw Error(format("the text has more than %d different words; give less of it", kMost));
  }
  for (int32_t id = 0; id < words.size(); ++id) {
    const std::string& word = words.word(id);
    const auto connector = std::ranges::find(connectors_, word) - connectors_.begin();
    kinds_.push_back(connector < std::ssize(connectors_) ? static_cast<uint8_t>(connector + 1)
                     : has_letter_or_digit(word)         ? kWord
                                                         : kNothing);
  }
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
  const int table = --last_;  // nothing is added to it from now on
  Table& emptied = tables_[static_cast<size_t>(table)];
  const std::lock_guard lock(emptied.mutex);
  bytes_ -= bytes_of(emptied.counts);
  emptied.counts = Counts();
}

Phrases::Phrases(const Corpus& corpus, const PhraseSettings& settings,
                 const std::function<void(int, const PhrasePass&)>& on_pass)
    : corpus_(corpus), settings_(settings), rules_(corpus.vocabulary(), settings.connectors) {
  const Vocabulary& vocabulary = corpus.vocabulary();
  for (int32_t id = 0; id < vocabulary.size(); ++id) words_.add(vocabulary.word(id));
  for (int pass = 1; pass <= settings.passes; ++pass) {
    passes_.push_back(find(pass == 1 ? vocabulary.counts() : count_words()));
    Joiner& joiner = joiners_.emplace_back();
    for (const Phrase& phrase : passes_.back().phrases) {
      // From here on, a phrase spelled like a word of the text is that word.
      joiner.add(phrase.pair, static_cast<int32_t>(words_.add(spelling(phrase))));
    }
    on_pass(pass, passes_.back());
  }
}

std::string Phrases::spelling(const Phrase& phrase) const {
  std::string joined(words_.word(static_cast<size_t>(phrase.pair.first)));
  for (const std::string_view word : rules_.between(phrase.pair.between)) {
    joined += settings_.delimiter;
    joined += word;
  }
  joined += settings_.delimiter;
  joined += words_.word(static_cast<size_t>(phrase.pair.second));
  return joined;
}

// Reads a chunk's ids as joined by the passes so far. Returns the number of joins.
int64_t Phrases::read(int64_t chunk, std::vector<int32_t>& ids) const {
  corpus_.read(chunk, ids);
  int64_t joints = 0;
  for (const Joiner& joiner : joiners_) joints += joiner.join(rules_, ids);
  return joints;
}

// Returns the word counts of the text as joined so far.
std::vector<int64_t> Phrases::count_words() const {
  std::vector<std::vector<int64_t>> shares(static_cast<size_t>(settings_.threads),
                                           std::vector<int64_t>(words_.size()));
  for_each_piece(settings_.threads, corpus_.chunks(), [&](int thread, int64_t chunk) {
    std::vector<int64_t>& own = shares[static_cast<size_t>(thread)];
    std::vector<int32_t> ids;
    read(chunk, ids);
    for (const int32_t id : ids) {
      if (id != kLineEnd) ++own[static_cast<size_t>(id)];
    }
  });
  std::vector<int64_t> counts(words_.size());
  for (const std::vector<int64_t>& own : shares) {
    for (size_t id = 0; id < own.size(); ++id) counts[id] += own[id];
  }
  return counts;
}

PhrasePass Phrases::find(const std::vector<int64_t>& counts) const {
  const Score score(settings_, counts);
  PhrasePass pass;
  for (int first_table = 0; first_table < PairTables::kTables; ++pass.scans) {
    PairTables tables(first_table, settings_.most_bytes);
    std::atomic<int64_t> next{0};
    in_parallel(settings_.threads, [&](int) {
      PairBuffer buffer(tables);
      std::vector<int32_t> ids;
      for (int64_t chunk; (chunk = next++) < corpus_.chunks();) {
        read(chunk, ids);
        for (size_t i = 0; i < ids.size(); ++i) {
          const auto found = rules_.at(ids, i);
          if (found && score.can_pass(found->pair)) buffer.add(pair_key(found->pair));
        }
      }
      buffer.finish();
    });
    tables.for_each([&](uint64_t key, int64_t count) {
      const WordPair pair = pair_of(key);
      const double found = score.of(pair, static_cast<double>(count));
      if (found > settings_.threshold) pass.phrases.push_back({pair, count, found});
      ++pass.pairs;
    });
    first_table = tables.last();
  }
  std::ranges::sort(pass.phrases, better);
  return pass;
}

std::string Phrases::text(int64_t chunk, int64_t& joined) const {
  std::vector<int32_t> ids;
  joined = read(chunk, ids);
  std::string text;
  text.reserve(ids.size() * 8);
  for (const int32_t id : ids) {
    if (id == kLineEnd) {
      text += '\n';
      continue;
    }
    if (!text.empty() && text.back() != '\n') text += ' ';
    text += words_.word(static_cast<size_t>(id));
  }
  return text;
}

}  // namespace acevec
