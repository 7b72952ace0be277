// Pairs of texts that belong together, such as questions and answers: in memory, 4 bytes a token.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/lines.h"
#include "text/tokenizer.h"
#include "text/vocabulary.h"

namespace acevec {

// The two sides of the line that `lines` has just read: a text, a tab, what belongs to it. Throws
// Error when there is not one tab, or nothing on a side of it.
std::pair<std::string_view, std::string_view> sides_on(const LineReader& lines,
                                                       std::string_view line);

class PairText {
 public:
  // Reads all files, a pair a line; of a side its first kLongestSentence tokens. Throws Error as
  // sides_on() and LineReader do, and when all pairs share a side.
  PairText(const std::vector<std::string>& files, TokenMode mode);

  int64_t pairs() const { return std::ssize(texts_) / 2; }
  int64_t tokens() const { return std::ssize(ids_); }
  int64_t cut() const { return cut_; }  // sides that were longer
  const TextReport& report() const { return report_; }
  uint64_t fingerprint() const { return fingerprint_; }

  // All words, in the order in which they come, and how often each does.
  const std::vector<WordCount>& words() const { return words_; }

  // Tokens become ids of `vocabulary`, which has all words. To be called once; before that they are
  // places in words().
  void renumber(const Vocabulary& vocabulary);

  // Of side 0 or 1 of a pair: its ids, and the number of its text, by which equal ones are known.
  std::span<const int32_t> side(int64_t pair, int side) const {
    const auto at = static_cast<size_t>(2 * pair + side);
    return {ids_.data() + begins_[at], static_cast<size_t>(begins_[at + 1] - begins_[at])};
  }
  int32_t text(int64_t pair, int side) const {
    return texts_[static_cast<size_t>(2 * pair + side)];
  }

 private:
  std::vector<WordCount> words_;
  std::vector<int32_t> ids_, texts_;
  std::vector<int64_t> begins_{0};
  TextReport report_;
  int64_t cut_ = 0;
  uint64_t fingerprint_ = 0;
};

}  // namespace acevec
