#include "cluster/shared_corpus.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/numbers.h"
#include "text/file_shares.h"
#include "text/read_text.h"
#include "text/word_counts.h"

namespace acevec {
namespace {

// Processes exchange between chunks only, and some tens of thousands of tokens are far apart.
constexpr size_t kSharedChunkBytes = 32 << 10;

constexpr size_t kGroup = 64;  // bytes that are sent as one item, since items are counted in ints

// Ends the words for one process: empty lines make whole groups of them.
void end_process(Items<char>& words) {
  const size_t before = words.groups();
  const size_t groups = (words.items.size() + kGroup - 1) / kGroup;
  words.items.resize(groups * kGroup, '\n');
  words.counts.push_back(static_cast<int>(groups - before));
}

std::vector<WordCount> words_of(const Items<char>& sent) {
  std::vector<WordCount> words;
  const std::string_view text(sent.items.data(), sent.items.size());
  for (const std::string_view line : split(text, "\n")) {
    if (!line.empty()) words.push_back(parse_line(line));
  }
  return words;
}

// What total_counts() has for the whole text, in every process. Each word has an owner, found by
// its hash, who adds up its counts, so that no process holds all words of all; what the vocabulary
// is made of goes to everyone.
WordTotals total_counts_of_all(const WordCounts& own, const CorpusSettings& settings,
                               Peers& peers) {
  // By the words' hashes: small enough for the process that has counted most, one for each or more.
  const int parts = std::ranges::max(gather(peers, own.parts(peers.count())));
  WordCounts owned(1, settings.counting_bytes);
  owned.finish();
  Items<char> words;  // sent as the lines of a vocabulary file
  const auto put = [&](std::string_view word, int64_t count) {
    std::ranges::copy(line_of(word, count), std::back_inserter(words.items));
  };
  // In each turn every process owns one part: that of its rank, of those still to come.
  for (int begin = 0; begin < parts; begin += peers.count(), words = {}) {
    for (int part = begin; part < begin + peers.count(); ++part) {
      if (part < parts) own.for_each_total(part, parts, put);
      end_process(words);
    }
    owned.add(words_of(trade(peers, words, kGroup)));
  }
  const WordTotals part =
      total_counts(owned, settings.threads, settings.least_count(), settings.max_words);
  for (const auto& [word, count] : part.words) put(word, count);
  end_process(words);
  return {words_of(gather_all(peers, words.items, kGroup)), peers.allreduce_sum(part.distinct)};
}

// Every process has to have something to do, or it would stop the others.
int64_t tokens_of_all(const Corpus& own, Peers& peers) {
  const std::vector<int64_t> tokens = gather(peers, own.kept_tokens());
  const int64_t total = std::accumulate(tokens.begin(), tokens.end(), int64_t{0});
  const auto idle = std::ranges::find(tokens, 0);
  if (total > 0 && idle != tokens.end()) {
    throw Error(format("process %d of %d has no text to train on; start fewer, or give more text",
                       static_cast<int>(idle - tokens.begin()), peers.count()));
  }
  return total;
}

}  // namespace

std::vector<FilePart> share_of_text(const std::vector<std::string>& paths, const TextFormat& format,
                                    Peers& peers) {
  if (peers.count() == 1) return whole_files(paths);
  std::vector<FilePart> share = share_of_files(paths, format, peers.rank(), peers.count());
  require_same(peers, lengths_of_shared(paths), "another text");
  return share;
}

Corpus read_shared_corpus(Source& source, CorpusSettings settings, Progress& progress,
                          Peers& peers) {
  if (peers.count() == 1) return read_corpus(source, settings, shown_on(progress));
  CountedText text(source,
                   {settings.mode, settings.threads, settings.counting_bytes, kSharedChunkBytes},
                   shown_on(progress));
  WordTotals totals = total_counts_of_all(text.counts, settings, peers);
  if (!settings.given_vocabulary.empty()) totals.words = settings.given_vocabulary;
  settings.first_line = peers.exscan(text.report.lines);
  Corpus corpus(std::move(text), std::move(totals), settings);
  TextReport report;
  for (const TextReport& part : gather(peers, corpus.report())) report += part;
  corpus.be_part_of(report, tokens_of_all(corpus, peers));
  return corpus;
}

}  // namespace acevec
