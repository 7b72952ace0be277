// Pairs of texts that belong together, such as questions and answers, or of texts and their labels:
// in memory, 4 bytes a token.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/lines.h"
#include "text/tokenizer.h"
#include "text/vocabulary.h"
#include "text/word_ids.h"

namespace acevec {

// Receives the two sides of the line that `lines` has just read. They are adjacent but for a tab,
// and valid during the call.
using UsePair =
    std::function<void(const LineReader& lines, std::string_view first, std::string_view second)>;

// Calls `use` for each line of the files, in order. A line has a text, a tab, and the text that
// belongs to it. Throws Error as LineReader does, when a line does not have one tab with text on
// both sides, and when a file has no line.
void read_pairs(const std::vector<std::string>& files, const LineRules& rules, const UsePair& use);

inline constexpr std::string_view kLabelPrefix = "__label__";

struct LabelledLine {
  std::vector<std::string> labels;  // each once
  std::string text;                 // the other tokens
};

// Labels are the tokens that begin with kLabelPrefix, anywhere in the line. Tokens are separated by
// white space.
LabelledLine split_labels(std::string_view line);

class PairText {
 public:
  // Reads all files, with a pair on each line; of each side only the first kLongestSentence tokens.
  // Throws Error as read_pairs() does, and when all pairs share a side.
  PairText(const std::vector<std::string>& files, TokenMode mode);

  // The same for lines of texts with labels (split_labels()): a text's labels are its second side.
  // Lines without a label or without a word are left out. Throws Error as LineReader does, when a
  // file has no labelled text, and when there are fewer than two labels.
  static PairText labelled(const std::vector<std::string>& files, TokenMode mode);

  int text_sides() const { return labels_.size() > 0 ? 1 : 2; }  // of a pair
  int64_t pairs() const { return std::ssize(begins_) / 2; }
  int64_t tokens() const { return std::ssize(ids_); }
  int64_t cut() const { return cut_; }            // sides that were longer
  int64_t left_out() const { return left_out_; }  // lines
  const TextReport& report() const { return report_; }
  uint64_t fingerprint() const { return fingerprint_; }

  // All words in order of first occurrence, with their counts.
  const std::vector<WordCount>& words() const { return words_; }

  // Labels by number; none when both sides are texts.
  const std::vector<std::string>& labels() const { return labels_.all(); }

  // Turns tokens, which are indexes of words() until then, into ids of `vocabulary`, which has all
  // words. Must be called once.
  void renumber(const Vocabulary& vocabulary);

  // The ids of side 0 or 1 of a pair, or the numbers of its labels; and the number of its text,
  // which equal texts share.
  std::span<const int32_t> side(int64_t pair, int side) const {
    const auto at = static_cast<size_t>(2 * pair + side);
    return {ids_.data() + begins_[at], static_cast<size_t>(begins_[at + 1] - begins_[at])};
  }
  int32_t text(int64_t pair, int side) const {
    return texts_[static_cast<size_t>(2 * pair + side)];
  }

 private:
  PairText() = default;
  bool add_text(std::string_view text, TokenMode mode, WordCounter& counter);

  std::vector<WordCount> words_;
  Names labels_;
  std::vector<int32_t> ids_, texts_;
  std::vector<int64_t> begins_{0};
  TextReport report_;
  int64_t cut_ = 0, left_out_ = 0;
  uint64_t fingerprint_ = 0;
};

}  // namespace acevec
