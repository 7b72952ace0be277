#include "cluster/shared_corpus.h"

#include <utility>

#include "base/error.h"
#include "cluster/collectives.h"
#include "cluster/merged_counts.h"
#include "text/read_text.h"

namespace acevec {
namespace {

// Processes exchange between chunks only, and some tens of thousands of tokens are far apart.
constexpr size_t kSharedChunkBytes = 32 << 10;

// Every process has to have something to do, or it would stop the others.
int64_t tokens_of_all(const Corpus& own, Peers& peers) {
  const std::vector<int64_t> tokens = gather(peers, own.kept_tokens());
  int64_t total = 0;
  for (const int64_t some : tokens) total += some;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i] > 0 || total == 0) continue;
    throw Error(format("process %d of %d has no text to train on; start fewer, or give more text",
                       static_cast<int>(i), peers.count()));
  }
  return total;
}

}  // namespace

Corpus read_shared_corpus(Source& source, CorpusSettings settings, Progress& progress,
                          Peers& peers) {
  if (peers.count() == 1) return read_corpus(source, settings, progress);
  CountedText text(source,
                   {settings.mode, settings.threads, settings.counting_bytes, kSharedChunkBytes},
                   shown_on(progress));
  WordTotals totals = total_counts_of_all(
      text.counts,
      {settings.threads, settings.counting_bytes, settings.least_count(), settings.max_words},
      peers);
  if (!settings.given_vocabulary.empty()) totals.words = settings.given_vocabulary;
  settings.first_line = sum_before(peers, text.report.lines);
  Corpus corpus(std::move(text), std::move(totals), settings);
  TextReport report;
  for (const TextReport& part : gather(peers, corpus.report())) report += part;
  corpus.be_part_of(report, tokens_of_all(corpus, peers));
  return corpus;
}

}  // namespace acevec
