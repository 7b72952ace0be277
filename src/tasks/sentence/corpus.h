// A text as sentences of ids in memory: 4 bytes a token, 12 a sentence.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "text/source.h"
#include "text/tokenizer.h"
#include "text/vocabulary.h"
#include "text/word_ids.h"

namespace acevec {

struct SentenceTextSettings {
  TextFormat format;
  TokenMode mode{};
  bool split{};         // lines are paragraphs, to be split into sentences
  int64_t min_count{};  // words seen less often are left out
  int64_t max_words{};  // 0: no limit
};

// Training reads no more of a sentence than this many tokens.
inline constexpr size_t kLongestSentence = 200;

// Counts the tokens of a line in `counter`, and appends their numbers there to `ids`, in order.
void count_line(std::string_view line, TokenMode mode, TextReport& report, WordCounter& counter,
                std::vector<int32_t>& ids);

// All words of a counter, in the order of their numbers.
std::vector<WordCount> words_of(const WordCounter& counter);

// The rows of the tokens in a line, in order: ids of the vocabulary, and for other words one of the
// `unknown` rows behind them, by the word's hash; without such rows they are left out.
class SentenceReader {
 public:
  // `vocabulary` must outlive it.
  SentenceReader(const Vocabulary& vocabulary, TokenMode mode, int64_t unknown = 0)
      : mode_(mode), words_(vocabulary.size()), unknown_(unknown), index_(index_of(vocabulary)) {}

  // Replaces `ids`. Returns the number of tokens that were left out. Safe to call from several
  // threads.
  int64_t read(std::string_view line, std::vector<int32_t>& ids) const;

 private:
  TokenMode mode_;
  int64_t words_, unknown_;
  WordIndex<Vocabulary> index_;
};

class SentenceCorpus {
 public:
  // Reads `source` to its end. Each line is a sentence or a paragraph; an empty line ends a
  // document. Throws Error when the source fails.
  SentenceCorpus(Source& source, const SentenceTextSettings& settings);

  const Vocabulary& vocabulary() const { return vocabulary_; }
  const TextReport& report() const { return report_; }
  int64_t cut() const { return cut_; }  // sentences longer than kLongestSentence
  int64_t without() const {
    return without_;
  }  // sentences without a word of the vocabulary: left out
  int64_t documents() const { return sentences() == 0 ? 0 : documents_.back() + 1; }
  int64_t sentences() const { return static_cast<int64_t>(documents_.size()); }
  int64_t tokens() const { return static_cast<int64_t>(ids_.size()); }
  uint64_t fingerprint() const { return fingerprint_; }

  std::span<const int32_t> sentence(int64_t i) const {
    const auto at = static_cast<size_t>(i);
    return {ids_.data() + begins_[at], static_cast<size_t>(begins_[at + 1] - begins_[at])};
  }
  int32_t document(int64_t i) const { return documents_[static_cast<size_t>(i)]; }

 private:
  void renumber(const std::vector<int32_t>& final_ids);

  Vocabulary vocabulary_;
  TextReport report_;
  std::vector<int32_t> ids_;
  std::vector<int64_t> begins_{0};
  std::vector<int32_t> documents_;  // of each sentence, from 0
  int64_t cut_ = 0, without_ = 0;
  uint64_t fingerprint_ = 0;
};

}  // namespace acevec
