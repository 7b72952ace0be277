// A text as a trainer wants it: a vocabulary, and lines of its ids that can be read again and
// again.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

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
};

class Corpus {
 public:
  // Reads `source` to its end. `progress` is called now and then, by one thread at a time, with the
  // part of the source that has been read (negative: unknown) and the tokens so far.
  // Throws Error when the source or the temporary file fails.
  Corpus(Source& source, const CorpusSettings& settings,
         const std::function<void(double fraction, int64_t tokens)>& progress);

  const Vocabulary& vocabulary() const { return vocabulary_; }
  const TextReport& report() const { return report_; }
  int64_t kept_tokens() const { return kept_tokens_; }   // tokens of the text in the vocabulary
  int64_t distinct_tokens() const { return distinct_; }  // different tokens in the text
  int64_t store_bytes() const { return store_.bytes(); }

  // The text in pieces of about 256 KiB, in order: ids, and kLineEnd after each line. Tokens that
  // are not in the vocabulary are left out. Safe to call from several threads.
  int64_t chunks() const { return store_.chunks(); }
  void read(int64_t chunk, std::vector<int32_t>& ids) const;

 private:
  TokenStore store_;
  Vocabulary vocabulary_;
  TextReport report_;
  int64_t kept_tokens_ = 0;
  int64_t distinct_ = 0;
  std::vector<std::vector<int32_t>> final_ids_;  // [owner][provisional id]; kDropped if pruned
};

}  // namespace acevec
