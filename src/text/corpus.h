// A text as a trainer wants it: a vocabulary, and lines of its ids that can be read again and
// again. The way there has steps, between which a caller may do something else:
//
//   CountedText text(source, ...);                  read and count
//   text.counts.add(...);                           counts from elsewhere, if there are any
//   WordTotals totals = total_counts(text.counts, ...);
//   Corpus corpus(std::move(text), totals, ...);    vocabulary, and its ids instead of the tables'
//
// read_corpus() takes them all.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "text/counted_text.h"
#include "text/source.h"
#include "text/token_store.h"
#include "text/tokenizer.h"
#include "text/vocabulary.h"

namespace acevec {

struct CorpusSettings {
  TokenMode mode = TokenMode::kSpace;
  int64_t min_count = 1;
  int64_t max_words = 0;  // 0: no limit
  // When not empty: these words and counts, not the text's.
  std::vector<WordCount> given_vocabulary = {};
  int threads = 1;
  double heldout = 0;  // part of the lines that are held out, 0 .. 1: which, `seed` decides
  uint64_t seed = 1;
  int64_t counting_bytes = std::numeric_limits<int64_t>::max();  // ReadSettings has the same
  int64_t first_line = 0;  // the number of the first line, where this is a part of a text

  // How often a word must be in the text for the vocabulary.
  int64_t least_count() const {
    return given_vocabulary.empty() ? min_count : std::numeric_limits<int64_t>::max();
  }
};

class Corpus {
 public:
  // `totals`: what the vocabulary is made of. Throws Error when a temporary file fails.
  Corpus(CountedText&& text, WordTotals totals, const CorpusSettings& settings);

  const Vocabulary& vocabulary() const { return vocabulary_; }
  const TextReport& report() const { return report_; }
  // Tokens of the text that are in the vocabulary and not held out: those that read() gives.
  int64_t kept_tokens() const { return kept_tokens_; }

  // This is a part of a text, of which that is the report and the kept tokens.
  void be_part_of(const TextReport& report, int64_t kept_tokens) {
    report_ = report;
    tokens_of_all_ = kept_tokens;
  }
  // kept_tokens() of the whole text.
  int64_t tokens_of_all() const { return tokens_of_all_ > 0 ? tokens_of_all_ : kept_tokens_; }

  int64_t distinct_tokens() const { return distinct_; }  // different tokens in the text
  int64_t counting_disk_bytes() const { return counting_disk_bytes_; }
  int64_t store_bytes() const { return store_->bytes(); }

  // The same for the same bytes, whatever file they are in; other texts have others.
  uint64_t fingerprint() const { return fingerprint_; }

  // The text in pieces of about 256 KiB, in order: ids, and kLineEnd after each line. Tokens that
  // are not in the vocabulary are left out, and so are lines that are held out. Safe to call from
  // several threads.
  int64_t chunks() const { return store_->chunks(); }
  void read(int64_t chunk, std::vector<int32_t>& ids) const;

  // The lines that are held out, in order, in pieces of some ten thousand tokens. They are in
  // memory: 4 bytes a token.
  const std::vector<std::vector<int32_t>>& heldout() const { return heldout_; }
  int64_t heldout_tokens() const { return heldout_tokens_; }

 private:
  void renumber(const WordCounts& counts, int threads);
  void read_all(int64_t chunk, std::vector<int32_t>& ids) const;
  bool is_held_out(int64_t line) const;
  void hold_out(int threads);

  std::unique_ptr<TokenStore> store_;
  Vocabulary vocabulary_;
  TextReport report_;
  int64_t kept_tokens_ = 0;
  int64_t tokens_of_all_ = 0;  // 0: as kept_tokens_
  int64_t distinct_ = 0;
  int64_t counting_disk_bytes_ = 0;
  uint64_t fingerprint_ = 0;
  double heldout_part_;
  uint64_t seed_;
  std::vector<int64_t> first_lines_;  // of each chunk: the number of its first line in the text
  std::vector<std::vector<int32_t>> heldout_;
  int64_t heldout_tokens_ = 0;
  // [owner][id in the store]; kDropped if pruned. Empty: the store has final ids.
  std::vector<std::vector<int32_t>> final_ids_;
};

// All steps. Throws Error when the source or a temporary file fails.
Corpus read_corpus(Source& source, const CorpusSettings& settings, const ReadProgress& progress);

}  // namespace acevec
