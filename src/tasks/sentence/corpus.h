// Texts as ids in memory, 4 bytes per token: sentences (12 more bytes each), pairs of related
// texts, such as questions and answers, or texts with labels.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/lines.h"
#include "text/source.h"
#include "text/tokenizer.h"
#include "text/vocabulary.h"
#include "text/word_ids.h"

namespace acevec {

struct SentenceTextSettings {
  TextFormat format;
  TokenMode mode{};
  bool split{};         // lines are paragraphs to split into sentences
  int64_t min_count{};  // rarer words are left out
  int64_t max_words{};  // 0: no limit
};

// Training reads at most this many tokens of a sentence.
inline constexpr size_t kLongestSentence = 200;

// Counts the tokens of a line in `counter`, and appends their ids there to `ids`, in order.
void count_line(std::string_view line, TokenMode mode, TextReport& report, WordCounter& counter,
                std::vector<int32_t>& ids);

// All words of a counter, in the order of ids.
std::vector<WordCount> words_of(const WordCounter& counter);

// Converts the tokens of a line to rows, in order: ids of the vocabulary, and for unknown words one
// of the `unknown` rows behind them, by the word's hash; without such rows these are left out.
class SentenceReader {
 public:
  // `vocabulary` must outlive it.
  SentenceReader(const Vocabulary& vocabulary, TokenMode mode, int64_t unknown = 0)
      : mode_(mode), words_(vocabulary.size()), unknown_(unknown), index_(index_of(vocabulary)) {}

  // Replaces `ids`. Tokens left out count, too, in the report returned. Thread-safe.
  TextReport read(std::string_view line, std::vector<int32_t>& ids) const;

 private:
  TokenMode mode_;
  int64_t words_, unknown_;
  WordIndex<Vocabulary> index_;
};

// Concatenated texts as ids, with statistics of reading.
class TextIds {
 public:
  int64_t tokens() const { return std::ssize(ids_); }
  int64_t cut() const { return cut_; }  // texts that were longer than kLongestSentence
  const TextReport& report() const { return report_; }
  uint64_t fingerprint() const { return fingerprint_; }  // hash of all bytes

 protected:
  // Appends the first kLongestSentence ids in `counter` of a text; false if it has no word.
  bool add(std::string_view text, TokenMode mode, WordCounter& counter);
  void end_text() { begins_.push_back(tokens()); }
  void note(std::string_view bytes);  // updates the fingerprint

  std::span<const int32_t> text_at(size_t i) const {
    return {ids_.data() + begins_[i], static_cast<size_t>(begins_[i + 1] - begins_[i])};
  }

  std::vector<int32_t> ids_;
  std::vector<int64_t> begins_{0};  // start of each text, and the end
  TextReport report_;

 private:
  int64_t cut_ = 0;
  uint64_t fingerprint_ = 0;
};

class SentenceCorpus : public TextIds {
 public:
  // Reads `source` to its end. Each line is a sentence or a paragraph; an empty line ends a
  // document. Throws Error if the source fails.
  SentenceCorpus(Source& source, const SentenceTextSettings& settings);

  const Vocabulary& vocabulary() const { return vocabulary_; }
  // The number of sentences left out for lack of a vocabulary word.
  int64_t without() const { return without_; }
  int64_t documents() const { return sentences() == 0 ? 0 : documents_.back() + 1; }
  int64_t sentences() const { return std::ssize(documents_); }

  std::span<const int32_t> sentence(int64_t i) const { return text_at(static_cast<size_t>(i)); }
  int32_t document(int64_t i) const { return documents_[static_cast<size_t>(i)]; }

 private:
  void renumber(const std::vector<int32_t>& final_ids);

  Vocabulary vocabulary_;
  std::vector<int32_t> documents_;  // document of each sentence, from 0
  int64_t without_ = 0;
};

// Receives the two sides of the line that `lines` has just read. They are separated by one tab in
// memory, and valid during the call.
using UsePair =
    std::function<void(const LineReader& lines, std::string_view first, std::string_view second)>;

// Calls `use` for each line of the files, in order. A line is two texts with a tab between them.
// Throws Error as LineReader does, if a line is anything else or a side is blank, and if a file has
// no line.
void read_pairs(const std::vector<std::string>& files, const LineRules& rules, const UsePair& use);

inline constexpr std::string_view kLabelPrefix = "__label__";

struct LabelledLine {
  std::vector<std::string> labels;  // distinct
  std::string text;                 // the other tokens
  TextReport report{};              // of all tokens, which are repaired
};

// Labels are the tokens that begin with kLabelPrefix, anywhere in the line; tokens are separated by
// white space. Only labels have a maximum length: the text may be in a script without spaces, so
// that its words are found later.
LabelledLine split_labels(std::string_view line);

class PairText : public TextIds {
 public:
  // Reads files with a pair per line; of each side only the first kLongestSentence tokens. Throws
  // Error as read_pairs() does, and if all pairs share a side.
  PairText(const std::vector<std::string>& files, TokenMode mode);

  // Reads lines of texts with labels (split_labels()), which become a text's second side. Lines
  // without a label or a word are left out. Throws Error as LineReader does, if a file has no
  // labelled text, and if there are fewer than two labels.
  static PairText labelled(const std::vector<std::string>& files, TokenMode mode);

  int text_sides() const { return labels_.size() > 0 ? 1 : 2; }  // sides of a pair that are texts
  int64_t pairs() const { return std::ssize(begins_) / 2; }
  int64_t left_out() const { return left_out_; }  // lines left out

  // All words in order of first occurrence, with their counts.
  const std::vector<WordCount>& words() const { return words_; }

  // Labels by number; empty if both sides are texts.
  const std::vector<std::string>& labels() const { return labels_.all(); }

  // The number of texts that have each label.
  std::vector<int64_t> texts_of_labels() const;

  // The mean number of tokens of a first side.
  double mean_tokens() const;

  // Converts tokens from indices of words() to ids of `vocabulary`, which must have all words. Must
  // be called once.
  void renumber(const Vocabulary& vocabulary);

  // The ids of side 0 or 1 of a pair, or the numbers of its labels.
  std::span<const int32_t> side(int64_t pair, int side) const {
    return text_at(static_cast<size_t>(2 * pair + side));
  }
  int32_t text(int64_t pair, int side) const {
    return texts_[static_cast<size_t>(2 * pair + side)];
  }

 private:
  PairText() = default;

  std::vector<WordCount> words_;
  Names labels_;
  std::vector<int32_t> texts_;
  int64_t left_out_ = 0;
};

}  // namespace acevec
