#include "text/wiki/quotes.h"

#include <algorithm>

namespace acevec {

void QuoteRuns::add(std::string_view text, size_t at, size_t count, std::string& out) {
  const size_t marks = count == 4 ? 3 : std::min<size_t>(count, 5);
  const size_t start = at + count - marks;
  out.append(count - marks, '\'');
  odd_bold_ = odd_bold_ != (marks != 2);
  odd_italics_ = odd_italics_ != (marks != 3);
  if (marks == 3) {
    // Of a word of one letter at the start of this text, MediaWiki finds no space before it.
    const size_t length = start - std::min(after_, start);
    const bool space = length > 0 && text[start - 1] == ' ';
    const bool one_letter = length > 1 && text[start - 2] == ' ';
    size_t& place = space ? behind_space_ : one_letter ? behind_letter_ : behind_word_;
    if (place == kNone) place = out.size();
  }
  after_ = at + count;
}

void QuoteRuns::end_line(size_t at, std::string& out) {
  if (odd_bold_ && odd_italics_) {
    const size_t place = behind_letter_ != kNone ? behind_letter_
                         : behind_word_ != kNone ? behind_word_
                                                 : behind_space_;
    if (place != kNone) out.insert(place, 1, '\'');
  }
  *this = QuoteRuns();
  after_ = at + 1;
}

}  // namespace acevec
