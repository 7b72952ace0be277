// A text for training: a vocabulary, and lines of ids that can be read repeatedly. It is built in
// steps, between which the caller may do something else:
//
//   CountedText text(source, ...);                  reads and counts
//   text.counts.add(...);                           counts from elsewhere, if there are any
//   WordTotals totals = total_counts(text.counts, ...);
//   Corpus corpus(std::move(text), totals, ...);    builds the vocabulary and its ids
//
// read_corpus() does all steps.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "base/progress.h"
#include "text/text_reader.h"
#include "text/token_store.h"
#include "text/vocabulary.h"
#include "text/word_counts.h"

namespace acevec {

struct CorpusSettings {
  TokenMode mode = TokenMode::kSpace;
  int64_t min_count = 1;
  int64_t max_words = 0;  // 0: no limit
  // If not empty, these words and counts replace the text's.
  std::vector<WordCount> given_vocabulary = {};
  int threads = 1;
  double heldout = 0;  // fraction of lines to hold out, 0 .. 1, chosen by `seed`
  uint64_t seed = 1;
  // Memory for counting; further words are counted on disk (WordCounts).
  int64_t counting_bytes = std::numeric_limits<int64_t>::max();
  size_t chunk_bytes = kChunkBytes;
  int64_t first_line = 0;  // number of the first line, if this is a part of a text

  // The minimum count of a word of the text in the vocabulary.
  int64_t least_count() const {
    return given_vocabulary.empty() ? min_count : std::numeric_limits<int64_t>::max();
  }
};

// Called occasionally, by one thread at a time, with the fraction of the source that has been read
// (negative: unknown) and the tokens so far.
using ReadProgress = std::function<void(double fraction, int64_t tokens)>;

// A text in provisional ids: the ids of a chunk belong to the table that counted it, which is the
// chunk's owner in the store.
struct CountedText {
  // Reads `source` to its end with the mode, threads and sizes of `settings`. Throws Error when the
  // source or a temporary file fails.
  CountedText(Source& source, const CorpusSettings& settings, const ReadProgress& progress);

  std::unique_ptr<TokenStore> store = std::make_unique<TokenStore>();
  WordCounts counts;
  TextReport report;
  std::vector<int64_t> lines;  // line ends in each chunk
  uint64_t fingerprint = 0;    // equal for equal bytes, whatever file they are in
};

class Corpus {
 public:
  // `totals`: the vocabulary's words. Throws Error when a temporary file fails.
  Corpus(CountedText&& text, WordTotals totals, const CorpusSettings& settings);

  const Vocabulary& vocabulary() const { return vocabulary_; }
  const TextReport& report() const { return report_; }
  // Number of tokens that read() returns: in the vocabulary and not held out.
  int64_t kept_tokens() const { return kept_tokens_; }

  // Makes this a part of a text with this report and number of kept tokens.
  void be_part_of(const TextReport& report, int64_t kept_tokens) {
    report_ = report;
    tokens_of_all_ = kept_tokens;
  }
  // kept_tokens() of the whole text.
  int64_t tokens_of_all() const { return tokens_of_all_ > 0 ? tokens_of_all_ : kept_tokens_; }

  int64_t distinct_tokens() const { return distinct_; }  // in the text, kept or not
  int64_t counting_disk_bytes() const { return counting_disk_bytes_; }
  int64_t store_bytes() const { return store_->bytes(); }

  // A hash of the text's bytes, whatever files they are in.
  uint64_t fingerprint() const { return fingerprint_; }

  // The text in chunks of about 256 KiB, in order: ids, and kLineEnd after each line, without
  // tokens outside the vocabulary and without held-out lines. Safe to call from several threads.
  int64_t chunks() const { return store_->chunks(); }
  void read(int64_t chunk, std::vector<int32_t>& ids) const { read_lines(chunk, false, ids); }

  // The held-out lines, in order, in pieces of about ten thousand tokens; 4 bytes of memory per
  // token.
  const std::vector<std::vector<int32_t>>& heldout() const { return heldout_; }
  int64_t heldout_tokens() const { return heldout_tokens_; }

 private:
  void renumber(const WordCounts& counts, int threads);
  void read_lines(int64_t chunk, bool held_out, std::vector<int32_t>& ids) const;
  void hold_out(int threads);

  std::unique_ptr<TokenStore> store_;
  Vocabulary vocabulary_;
  TextReport report_;
  int64_t kept_tokens_ = 0;
  int64_t tokens_of_all_ = 0;  // 0: same as kept_tokens_
  int64_t distinct_ = 0;
  int64_t counting_disk_bytes_ = 0;
  uint64_t fingerprint_ = 0;
  double heldout_part_;
  uint64_t seed_;
  std::vector<int64_t> first_lines_;  // number in the text of each chunk's first line
  std::vector<std::vector<int32_t>> heldout_;
  int64_t heldout_tokens_ = 0;
  // [owner][id in the store]; kDropped if pruned. Empty: the store has final ids.
  std::vector<std::vector<int32_t>> final_ids_;
};

// Does all steps. Throws Error when the source or a temporary file fails.
Corpus read_corpus(Source& source, const CorpusSettings& settings, const ReadProgress& progress);

// Returns the memory for counting words: a quarter of `max_memory` bytes, or of the available
// memory if 0, since adding up the threads' counts may take as much again; at least 8 MiB.
int64_t counting_memory(int64_t max_memory = 0);

// Returns a callback that shows the progress of reading.
ReadProgress shown_on(Progress& progress);

// Throws Error when the text has no tokens, or is mostly not UTF-8, as binary files are.
void require_text(const TextReport& report);

// Prints notes about dropped or repaired tokens, if there are any.
void note_repairs(const TextReport& report, Progress& progress);

// Notes that many words end in punctuation, which makes "music" and "music," two words.
void note_punctuation(const std::vector<WordCount>& words, Progress& progress);

}  // namespace acevec
