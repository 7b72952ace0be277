#include "phrases/phrases.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>

#include "base/parallel.h"
#include "text/token_store.h"

namespace acevec {
namespace {

constexpr size_t kPairsAtOnce = 1024;  // counted in a table under one lock

// The score of a phrase, and its bound from the counts of words alone.
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

  // False when no count could bring the pair above the threshold: a pair occurs at most as often as
  // the rarer of its words. Most pairs fail here and are never counted.
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

// Pairs of one thread on their way to the tables.
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

Phrases::Phrases(const Corpus& corpus, const PhraseSettings& settings,
                 const std::function<void(int, const PhrasePass&)>& on_pass)
    : corpus_(corpus), settings_(settings), rules_(corpus.vocabulary(), settings.connectors) {
  const Vocabulary& vocabulary = corpus.vocabulary();
  for (int32_t id = 0; id < vocabulary.size(); ++id) words_.add(vocabulary.word(id));
  for (int pass = 1; pass <= settings.passes; ++pass) {
    passes_.push_back(find(pass == 1 ? vocabulary.counts() : count_words()));
    Joiner& joiner = joiners_.emplace_back();
    for (const Phrase& phrase : passes_.back().phrases) {
      // A phrase spelled like a word of the text is that word from here on.
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

// Reads a chunk's ids as the passes so far have joined them. Returns the number of joints.
int64_t Phrases::read(int64_t chunk, std::vector<int32_t>& ids) const {
  corpus_.read(chunk, ids);
  int64_t joints = 0;
  for (const Joiner& joiner : joiners_) joints += joiner.join(rules_, ids);
  return joints;
}

// The counts of words in the text as it is joined now.
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
  std::sort(pass.phrases.begin(), pass.phrases.end(), better);
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
